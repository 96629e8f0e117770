/** What is shown in the place of keys, which are not known here. */
export const KEY_STAND_IN = { id: '<access key ID>', secret: '<secret access key>' };

interface Target {
  /** Origin of the server. */
  endpoint: string;
  region: string;
  /** A bucket's name; absent, all of them are listed. */
  bucket?: string | undefined;
  keys: { id: string; secret: string };
}

interface ClientCommands {
  client: string;
  /** As a shell takes it. */
  commands: string;
}

/** How each client is told of the server, and lists a bucket. */
export function s3Commands({ endpoint, region, bucket, keys }: Target): ClientCommands[] {
  const { host, protocol } = new URL(endpoint);
  const place = bucket === undefined ? '' : ` s3://${bucket}`;
  const plain = protocol === 'http:' ? ' --no-ssl' : '';
  return [
    {
      client: 'AWS CLI',
      commands: [
        `export AWS_ACCESS_KEY_ID='${keys.id}'`,
        `export AWS_SECRET_ACCESS_KEY='${keys.secret}'`,
        `export AWS_DEFAULT_REGION=${region}`,
        // Otherwise version 1 of the client presigns addresses with Signature Version 2, which is refused.
        'aws configure set default.s3.signature_version s3v4',
        `aws --endpoint-url ${endpoint} s3 ls${place}`,
      ].join('\n'),
    },
    {
      client: 'rclone',
      commands: [
        `rclone config create nephos s3 provider=Other endpoint=${endpoint} region=${region} \\`,
        `  access_key_id='${keys.id}' secret_access_key='${keys.secret}'`,
        `rclone lsf nephos:${bucket ?? ''}`,
      ].join('\n'),
    },
    {
      client: 's3cmd',
      commands: [
        `s3cmd${plain} --host=${host} --host-bucket=${host} \\`,
        `  --access_key='${keys.id}' --secret_key='${keys.secret}' ls${place}`,
      ].join('\n'),
    },
  ];
}
