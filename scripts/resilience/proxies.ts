import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepContext } from './step';

/** A proxy in front of two servers, configured by its example in `deploy/`. */
export interface ProxyKind {
  /** The program, and the package of Debian that has it. */
  readonly name: string;
  /** Seconds of SHUTDOWN_DELAY that the example needs. */
  readonly shutdownDelay: number;
  /** Its response to a body beyond its own limit. */
  readonly tooLarge: readonly number[];
  /** Starts it in front of servers at these ports, with TLS at `port`, and without at `plainPort` if supported. */
  start(context: StepContext, port: number, plainPort: number, servers: readonly [number, number]): ChildProcess;
}

const nginx: ProxyKind = {
  name: 'nginx',
  shutdownDelay: 0,
  tooLarge: [413],
  start(context, port, plainPort, servers) {
    const folder = ownFolder(context, 'nginx');
    const { certificate, key } = certificateIn(folder);
    const site = replaceAll('deploy/nginx.conf', [
      [
        '    server 127.0.0.1:3000 max_fails=2 fail_timeout=2s;\n    # server 10.0.0.6:3000 max_fails=2 fail_timeout=2s;',
        servers.map((serverPort) => `    server 127.0.0.1:${serverPort} max_fails=2 fail_timeout=2s;`).join('\n'),
      ],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['/etc/ssl/assay/fullchain.pem', certificate],
      ['/etc/ssl/assay/privkey.pem', key],
    ]);
    writeFileSync(join(folder, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;\n${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\ninclude ${folder}/site.conf;\n}\n`,
    );
    return run(context, folder, 'nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]);
  },
};

const haproxy: ProxyKind = {
  name: 'haproxy',
  shutdownDelay: 3,
  tooLarge: [413],
  start(context, port, plainPort, servers) {
    const folder = ownFolder(context, 'haproxy');
    const { certificate, key } = certificateIn(folder);
    const certificateAndKey = join(folder, 'both.pem');
    writeFileSync(certificateAndKey, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    const file = join(folder, 'haproxy.cfg');
    const settings = replaceAll('deploy/haproxy.cfg', [
      ['bind :80', `bind 127.0.0.1:${plainPort}`],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/assay.pem', certificateAndKey],
      [
        '    server assay1 127.0.0.1:3000\n    # server assay2 10.0.0.6:3000',
        servers.map((serverPort, index) => `    server assay${index + 1} 127.0.0.1:${serverPort}`).join('\n'),
      ],
    ]);
    writeFileSync(file, settings);
    return run(context, folder, 'haproxy', ['-db', '-f', file]);
  },
};

const caddy: ProxyKind = {
  name: 'caddy',
  shutdownDelay: 3,
  // Until 2.6 it forwards the body up to its limit, and responds with 502.
  tooLarge: [413, 502],
  start(context, port, _plainPort, servers) {
    const folder = ownFolder(context, 'caddy');
    const file = join(folder, 'Caddyfile');
    // A local certificate authority.
    const options = `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n`;
    writeFileSync(file, options + readFileSync('deploy/Caddyfile', 'utf8'));
    return run(context, folder, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      ASSAY_HOST: `https://localhost:${port}`,
      ASSAY_UPSTREAMS: servers.map((serverPort) => `127.0.0.1:${serverPort}`).join(' '),
      HOME: folder,
    });
  },
};

/** All of them; `isInstalled` tells which of them this machine has. */
export const proxyKinds: readonly ProxyKind[] = [nginx, haproxy, caddy];

/** Whether a program is there. */
export function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

function ownFolder(context: StepContext, name: string): string {
  const folder = join(context.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function certificateIn(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  return { certificate, key };
}

/** The text of an example with its placeholders replaced. Throws if a placeholder is missing. */
function replaceAll(path: string, replacements: readonly (readonly [string, string])[]): string {
  let text = readFileSync(path, 'utf8');
  for (const [placeholder, value] of replacements) {
    if (!text.includes(placeholder)) throw new Error(`${path} has no "${placeholder}"`);
    text = text.replace(placeholder, value);
  }
  return text;
}

function run(
  context: StepContext,
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const logDescriptor = openSync(join(folder, 'log'), 'a');
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', logDescriptor, logDescriptor],
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  context.addCleanup(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  return child;
}
