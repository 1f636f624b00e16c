import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { MailCatcher } from '../support/mail-catcher.js';
import { expectAnswers } from '../support/guides.js';
import { DebianMachine } from './debian-machine.js';
import { oneShell, operatorsBlocks, withValues } from './operators-page.js';

/*
 * Pastes the blocks of docs/production-on-debian.md into a fresh Debian, with the last commit of
 * this repository, and tells how long each took:
 *
 *   npm run install:debian -- [--suite bookworm] [--mirror http://deb.debian.org/debian] [--quiet] [--keep]
 *
 * Needs root, and Debian's debootstrap, systemd-container and slirp4netns. Other than on a real machine, the
 * certificate is of Caddy's own authority, because the name of the machine is in no DNS.
 */

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const DOMAIN = 'billing.localhost';
const MARK = '@@ block';
/** Every machine trusts public authorities from the beginning. */
const TRUST = `
until [ -s /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt ]; do sleep 1; done
cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /usr/local/share/ca-certificates/caddy.crt
update-ca-certificates > /dev/null`;
/** These have to hold as well, though the page does not say so. */
const AFTERWARDS: Record<string, string> = {
  'no unit has failed': 'test -z "$(systemctl --failed --no-legend)"',
  'the timer waits': 'systemctl is-active quittance-backup.timer',
  'the service is no root':
    'test "$(ps -o user= -p "$(systemctl show -P MainPID quittance-app)")" = quittance',
  'Chromium has its sandbox': '! journalctl -u quittance-app | grep "cannot use its sandbox"',
  'secrets are for root alone':
    'test "$(stat -c %a:%U /etc/quittance /etc/quittance/*.env | tr "\\n" " ")" = "700:root 600:root 600:root "',
  'dumps are for their role alone':
    'test "$(stat -c %a:%U /var/lib/quittance-backups)" = 700:postgres',
  'metrics are not for the outside': `test "$(curl -so /dev/null -w '%{http_code}' https://${DOMAIN}/metrics)" = 404`,
  'metrics are there':
    'curl -sf http://127.0.0.1:9464/metrics | grep -q http_request_duration_seconds',
  'a restart loses no request': `
    for i in $(seq 60); do curl -s -o /dev/null -w '%{http_code}\\n' "https://${DOMAIN}/livez?$i"; sleep 0.2; done > /tmp/codes &
    sleep 1; systemctl restart quittance-app; wait
    sort /tmp/codes | uniq -c; ! grep -qv 200 /tmp/codes`,
};

const { values: options } = parseArgs({
  options: {
    suite: { type: 'string', default: 'bookworm' },
    mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
    quiet: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const lack = await DebianMachine.lacks();
  if (lack) {
    print(`not run: ${lack}`);
    return 2;
  }
  const { values, blocks } = await operatorsBlocks();
  const cacheDir = `${HERE}node_modules/.cache/debian`;
  const begun = Date.now();
  const machine = await DebianMachine.start({ ...options, cacheDir });
  print(`a fresh ${options.suite} after ${secondsSince(begun)} s`);
  const catcher = await MailCatcher.start();
  try {
    await promisify(execFile)('git', [
      'clone',
      '-q',
      '--bare',
      HERE,
      machine.at('srv/quittance.git'),
    ]);
    await machine.knows('127.0.0.1', DOMAIN);
    const own = {
      SOURCE: 'file:///srv/quittance.git',
      DOMAIN,
      MAIL: `smtp://${DebianMachine.host}:${new URL(catcher.url).port}`,
      FROM: 'billing@acme.test',
    };
    const lines = await pasted(machine, [withValues(values, own), ...blocks]);
    expectAnswers(lines.join('\n'), blocks);
    for (const [what, script] of Object.entries(AFTERWARDS)) {
      await machine.ask(script);
      print(`  and ${what}`);
    }
    const [mail] = catcher.mails;
    print(
      `  and a mail came: ${mail?.subject}, with ${mail?.attachments.map((one) => one.filename)}`,
    );
    return mail ? 0 : 1;
  } finally {
    await catcher.stop();
    if (options.keep) print(machine.left());
    else await machine.stop();
  }
}

/** @throws when a line fails */
async function pasted(machine: DebianMachine, blocks: string[]): Promise<string[]> {
  const lines: string[] = [];
  const begun = Date.now();
  let since = begun;
  let current = '';
  const trusted = machine.ask(TRUST);
  const code = await machine.paste(oneShell(blocks, MARK), (line) => {
    if (!line.startsWith(MARK)) {
      lines.push(line);
      if (!options.quiet) print(`  ${line}`);
      return;
    }
    if (current) print(`${current}: ${secondsSince(since)} s`);
    current = line.slice(3);
    since = Date.now();
  });
  print(`all blocks: ${secondsSince(begun)} s`);
  if (code !== 0)
    throw new Error(`${current} failed (${code}), after:\n${lines.slice(-40).join('\n')}`);
  await trusted;
  return lines;
}

const secondsSince = (from: number) => ((Date.now() - from) / 1000).toFixed(1);

process.exitCode = await main();
if (options.keep) process.exit();
