/** What people call the things that questions are about: words and phrases, as `normalised` writes them. */
const WORDS = {
  hello: 'hi, hello, hey, howdy, greetings, good morning, good evening, good afternoon',
  thanks: 'thanks, thank you, thx, cheers',
  help: 'help, commands, capabilities, what can you do, what can i ask, what do you know, how do you work, what are you',
  how: 'how do, how to, how can, how could, how would, how does, how should i, explain how, steps, tutorial, guide, instructions, where do i, where can i',
  why: 'why, cause, reason, how come, what happened, what went wrong',
  what: 'what, which',
  list: 'which, list, show, give me, overview, inventory, how many, count, display, what are my, see my, view my, names of',
  have: 'have, got, own, mine, my stuff, my resources, resources, inventory, overview, everything, are there, exist, in my, all my',
  advice:
    'should, best, better, recommend, recommended, advise, difference, versus, vs, compare, opinion, think of, difference between, what is a, what is an',
  last: 'last, latest, recent, newest, most recent, it',
  fail: 'fail, failed, fails, failing, failure, broke, broken, break, breaks, crash, crashed, crashes, crashing, error, errors, wrong, problem, unsuccessful, down, dead, does not work, not working, did not work, does not start, will not start, does not run, cannot start, not running, does not build, stuck, red',
  project:
    'project, projects, app, apps, application, applications, site, website, sites, websites, service, services',
  deploy:
    'deploy, deploys, deployed, deploying, deployment, deployments, build, builds, built, release, releases, rollout, go live, host my, ship',
  again: 'again, once more, another time, one more time',
  redeploy:
    'redeploy, redeploys, redeployed, rebuild, deploy again, deploy it again, build again, new deployment, trigger a deployment',
  rollback:
    'rollback, rollbacks, roll back, rolling back, revert, go back to, undo, previous version, earlier version, old version, previous release',
  log: 'log, logs, stdout, stderr, output, log file',
  status:
    'status, running, online, alive, healthy, up and running, is up, doing, live, available, ready, progress',
  variable:
    'variable, variables, env, environment variable, environment variables, env var, env vars, dotenv, config var',
  git: 'git, github, gitlab, bitbucket, repository, repositories, repo, repos, branch, commit, source code',
  database:
    'database, databases, db, dbs, postgres, postgresql, psql, pgsql, mysql, mariadb, mongo, mongodb, mongosh',
  connect:
    'connect, connects, connecting, connection, connections, connection string, dsn, uri, access, reach, log into, sign into, attach, talk to, use from, client',
  password: 'password, passwords, credential, credentials, passphrase, connection string',
  backup:
    'backup, backups, back up, back it up, dump, dumps, pg_dump, mysqldump, mongodump, restore, snapshot, snapshots, export',
  csv: 'csv, tsv, spreadsheet, excel, import, imports, importing, bulk load, load data',
  table: 'table, tables, create table, schema, column, columns, foreign key, primary key',
  index: 'index, indexes, indices, indexing',
  slow: 'slow, slowly, explain, analyze, analyse, query plan, optimize, optimise, performance, faster, speed up',
  query: 'sql, query, queries, select, statement',
  image: 'image, images, container, containers, registry, container registry, docker, podman, tag, tags',
  pull: 'pull, pulls, pulling, download, fetch, pull instructions',
  push: 'push, pushes, pushing, upload an image, upload my image, publish an image, publish my image, docker login',
  tls: 'tls, ssl, https, certificate, certificates, cert, certs, lets encrypt, let encrypt, letsencrypt, encrypted, not secure',
  address: 'address, url, urls, link, where is, where does, visit, open my',
  domain:
    'domain, domains, dns, hostname, host name, zone, zones, subdomain, record, records, name server, name servers, nameserver, nameservers, cname, ns record, a record, mx record, txt record',
  point:
    'point, points, pointing, delegate, delegation, registrar, name server, name servers, nameserver, nameservers, which records, what records, custom, own domain, set up, setup, configure, use my, verify, prove, ownership',
  resolve:
    'resolve, resolves, resolving, answer, answers, answering, propagate, propagated, propagation, nxdomain, servfail, reachable, work, works, working, found, load, loads, loading, dig, nslookup, pending',
  not: 'not, never, no, cannot, nothing, without, stopped, pending, nxdomain, servfail, down, broken',
  file: 'file, files, storage, disk, space, uploads, upload',
  usage: 'usage, use, used, using, consume, consumption, metered, left, free, full, take up, quota',
  size: 'full, large, big, size, space, fill, filled, capacity',
  plan: 'plan, plans, tier, subscription, subscriptions, subscribe, subscribed, trial, upgrade, renewal, renew',
  limit: 'limit, limits, limited, quota, quotas, allowed, allowance, maximum, cap',
  cost: 'cost, costs, price, prices, pricing, pay, paying, bill, bills, billing, charge, charged, charges, spend, spent, spending, expensive, invoice, invoices, how much',
  mobile:
    'mobile, android, ios, iphone, apk, aab, ipa, gradle, xcode, xcconfig, app store, play store, google play, bundle id, testflight, phone',
  marketplace:
    'marketplace, catalogue, catalog, template, templates, install, installed, installs, installation, installations, uninstall',
  kubernetes: 'kubernetes, k8s, kubectl, cluster, helm, pod, pods, aks, eks, gke',
  manifest:
    'manifest, manifests, yaml, yml, ingress, autoscaler, autoscaling, hpa, horizontal pod autoscaler',
  dockerfile:
    'dockerfile, dockerfiles, docker file, containerize, containerise, dockerize, dockerise, containerfile, build an image, make an image, build a docker image, make a docker image',
  compose: 'compose, docker compose, compose file, compose yaml',
  change:
    'create, make, add, new, delete, remove, drop, rename, change, edit, update, stop, restart, start, cancel, scale, destroy, rotate, reset, publish, register, set, move, wipe',
  money:
    'transfer, transfers, money, payment, payments, bank, beneficiary, beneficiaries, virtual account, virtual accounts, wire, dollars',
  account: 'who am i, my account, my handle, handle, my email, logged in, signed in, username, my user',
  token: 'token, tokens, access token, api key, api token',
} as const;

export type Concept = keyof typeof WORDS;

/** Every word and phrase with the concepts that it stands for. */
export const LEXICON: ReadonlyMap<string, readonly Concept[]> = lexiconOf(WORDS);

function lexiconOf(words: Readonly<Record<Concept, string>>): ReadonlyMap<string, Concept[]> {
  const lexicon = new Map<string, Concept[]>();
  // The keys of a record that is typed by them.
  for (const concept of Object.keys(words) as Concept[]) {
    for (const phrase of words[concept].split(', ')) {
      lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), concept]);
    }
  }
  return lexicon;
}
