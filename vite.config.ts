import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Two builds from one file: the browser application, and with `--ssr src/main-server.ts` the server as one file
// whose dependencies stay in node_modules.
export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        publicDir: false,
        build: { outDir: 'dist/server', target: 'node20', sourcemap: true, reportCompressedSize: false },
      }
    : {
        plugins: [react()],
        build: { outDir: 'dist/app', target: 'es2022', manifest: true, reportCompressedSize: false },
      },
);
