import type { FastifyInstance } from 'fastify';

/** All routes under /api, as `GET /jobs/:id`. */
export function apiRoutes(app: FastifyInstance): string[] {
  const lines = app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n');
  const parents: string[] = [];
  return lines.flatMap((line) => {
    const found = /^(.*?)(?:├──|└──) (.+?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!found) return [];
    const [, indent = '', part = '', methods = ''] = found;
    const depth = indent.length / 4;
    parents.splice(depth, Infinity, part);
    const path = parents.join('');
    if (!path.startsWith('/api/')) return [];
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => `${method} ${path.slice('/api'.length)}`);
  });
}
