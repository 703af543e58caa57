// `npm run dev`: the server, started again when its sources change, behind Vite, which reloads the browser. The documentation
// is built before, and again when a page of it changes. With `--product FOLDER` all of that includes the product's code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createProbe } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'vite';
import { build, buildName, root, serverProgram, staleParts, useBuilds, watchServer } from './build-stale.mjs';
import { codeFile, productCode, productFolder } from './product-code.mjs';

// A build would make it "production" for everything that this process starts.
process.env.NODE_ENV ||= 'development';
const port = Number(process.env.PORT || 3000);
const host = process.env.HOST || '127.0.0.1';
const folder = productFolder();
if (folder !== undefined) useBuilds(folder);
const apiPort = await freePort();
const buildDocumentation = () =>
  build(
    undefined,
    staleParts().filter(({ name }) => name === 'documentation'),
  );
await buildDocumentation();

// The built page gets the product's name and title from the server that sends it; this one asks for them.
const productOfServer = {
  name: 'product-of-server',
  async transformIndexHtml(html) {
    const response = await fetch(`http://127.0.0.1:${apiPort}/api/login/ways`, { method: 'POST' }).catch(() => null);
    if (!response?.ok) return html;
    const { name, title } = (await response.json()).data.product;
    const text = title.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
    return html
      .replace(/(?<=<title>)[^<]*/, () => text)
      .replace(/(?<=<meta name="application-name" content=")[^"]*/, () => text)
      .replace(/(?<=<meta name="product" content=")[^"]*/, () => name);
  },
};
const hasScreens = folder !== undefined && codeFile(folder, 'browser') !== undefined;
const vite = await createServer({
  root,
  configFile: join(root, 'vite.config.ts'),
  plugins: [productOfServer, hasScreens && productCode(root, folder, 'browser')],
  // Packages are prepared for the modules that import them, which are others here.
  ...(hasScreens && { cacheDir: join(root, 'dist', `vite-${buildName(folder)}`) }),
  server: {
    ...{ port, host, strictPort: true },
    ...(hasScreens && { fs: { allow: [root, folder] } }),
    proxy: Object.fromEntries(['/api', '/docs', '/llms.txt'].map((path) => [path, `http://127.0.0.1:${apiPort}`])),
  },
});

const startServer = (...command) =>
  spawn(process.execPath, [...command, ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(apiPort),
      PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
    },
  });
const hasExited = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;
const builds = folder && (await watchServer(folder));
let server;
let isEnding = false;
if (builds) {
  // One start after another, however fast files are saved.
  let turn = Promise.resolve();
  const restart = async () => {
    if (server && !hasExited(server)) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    if (!isEnding) server = startServer(serverProgram(folder));
  };
  builds.on('event', (event) => {
    if (event.code === 'ERROR') console.error(event.error.message);
    if (event.code === 'BUNDLE_END') turn = turn.then(restart);
    void event.result?.close();
  });
} else {
  server = startServer(
    join(root, 'node_modules/tsx/dist/cli.mjs'),
    'watch',
    '--clear-screen=false',
    'src/main-server.ts',
  );
  server.once('exit', (code) => void end(code));
}
vite.watcher.on('change', (file) => {
  if (file.startsWith(join(root, 'docs'))) void buildDocumentation().catch((error) => console.error(error));
});
await vite.listen();
vite.printUrls();
console.log(`  ➜  Documentation: http://localhost:${port}/docs`);

// Vite would end this process before the server has ended.
process.removeAllListeners('SIGTERM');
process.once('SIGTERM', () => {
  server?.kill('SIGTERM');
  void end(0);
});
// Ctrl+C reaches every program of the terminal by itself, so it is not passed on a second time.
process.on('SIGINT', () => void end(0));

/** Ends once the server has. */
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  if (server && !hasExited(server)) await once(server, 'exit');
  await Promise.all([vite.close(), builds?.close()]);
  process.exit(code ?? 0);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createProbe();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
