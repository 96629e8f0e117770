import type { Workload } from './workload.ts';

/** The secrets that a manifest names; what is in them, it never says. */
export function variablesSecretOf({ name }: Workload): string {
  return `${name}-env`;
}

export function pullSecretOf({ name }: Workload): string {
  return `${name}-registry`;
}

/** The account that the app runs as: not root's, and the first that people's images usually have. */
const USER_ID = 1000;
/** Percent of the requested CPU above which replicas are added. */
const TARGET_CPU = 70;

function metadataOf({ name }: Workload): object {
  return { name, labels: { 'app.kubernetes.io/name': name } };
}

function selectorOf({ name }: Workload): object {
  return { 'app.kubernetes.io/name': name };
}

/** Without `replicas`, which would fight the autoscaler at each apply. */
export function deploymentOf(workload: Workload): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(workload),
    spec: {
      selector: { matchLabels: selectorOf(workload) },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels: selectorOf(workload) }, spec: podOf(workload) },
    },
  };
}

function podOf(workload: Workload): object {
  return {
    automountServiceAccountToken: false,
    ...(workload.pullFrom !== '' && { imagePullSecrets: [{ name: pullSecretOf(workload) }] }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER_ID,
      runAsGroup: USER_ID,
      fsGroup: USER_ID,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [containerOf(workload)],
  };
}

function containerOf(workload: Workload): object {
  const { name, image, port, healthPath } = workload;
  const open = { tcpSocket: { port: 'http' } };
  const healthy = healthPath === '' ? open : { httpGet: { path: healthPath, port: 'http' } };
  return {
    name,
    image,
    ports: [{ name: 'http', containerPort: port }],
    env: environmentOf(workload),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
    startupProbe: { ...open, periodSeconds: 2, failureThreshold: 60 },
    readinessProbe: { ...healthy, periodSeconds: 5, timeoutSeconds: 3 },
    livenessProbe: { ...open, periodSeconds: 10, failureThreshold: 6 },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
}

function environmentOf(workload: Workload): object[] {
  const secret = variablesSecretOf(workload);
  return [
    { name: 'PORT', value: String(workload.port) },
    ...workload.variables.map((name) => ({ name, valueFrom: { secretKeyRef: { name: secret, key: name } } })),
  ];
}

export function serviceOf(workload: Workload): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(workload),
    spec: { selector: selectorOf(workload), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

export function autoscalerOf(workload: Workload): object {
  const { name, minReplicas, maxReplicas } = workload;
  const target = { type: 'Utilization', averageUtilization: TARGET_CPU };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadataOf(workload),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas,
      maxReplicas,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    },
  };
}

export function ingressOf(workload: Workload): object {
  const backend = { service: { name: workload.name, port: { name: 'http' } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadataOf(workload),
    spec: { rules: [{ host: workload.host, http: { paths } }] },
  };
}
