// `npm run dev`: the server, started again when its sources change, behind Vite, which reloads the browser. The documentation
// is built before, and again when a page of it changes.
import { spawn } from 'node:child_process';
import { createServer as createProbe } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'vite';
import { build, root, staleParts } from './build-stale.mjs';

const port = Number(process.env.PORT || 3000);
const host = process.env.HOST || '127.0.0.1';
const apiPort = await freePort();
const buildDocumentation = () =>
  build(
    undefined,
    staleParts().filter(({ name }) => name === 'documentation'),
  );
await buildDocumentation();

const server = spawn(
  process.execPath,
  [
    join(root, 'node_modules/tsx/dist/cli.mjs'),
    'watch',
    '--clear-screen=false',
    'src/main-server.ts',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(apiPort),
      PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}`,
    },
  },
);
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
const vite = await createServer({
  root,
  configFile: join(root, 'vite.config.ts'),
  plugins: [productOfServer],
  server: {
    ...{ port, host, strictPort: true },
    proxy: Object.fromEntries(['/api', '/docs', '/llms.txt'].map((path) => [path, `http://127.0.0.1:${apiPort}`])),
  },
});
vite.watcher.on('change', (file) => {
  if (file.startsWith(join(root, 'docs'))) void buildDocumentation().catch((error) => console.error(error));
});
await vite.listen();
vite.printUrls();
console.log(`  ➜  Documentation: http://localhost:${port}/docs`);

// Ctrl+C reaches every program of the terminal by itself, so it is not passed on a second time.
process.on('SIGINT', () => {});
process.once('SIGTERM', () => server.kill('SIGTERM'));
server.once('exit', (code) => void vite.close().then(() => process.exit(code ?? 0)));

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
