import type { RequestDefinition } from './definition';
import type { Source } from './source';

/** The requests of a definition with every default filled in. */
export function normaliseRequests(source: Source): Record<string, RequestDefinition> {
  return Object.fromEntries(
    Object.entries(source.requests ?? {}).map(([name, written]) => [
      name,
      {
        icon: 'chevron-right',
        title: written.label,
        width: '80%',
        toast: 'Saved Successfully',
        sets: [],
        required: [],
        ignored: [],
        visible: {},
        ...written,
        name,
        adds: written.adds ?? null,
        list: written.list ? { query: {}, ...written.list } : null,
      },
    ]),
  );
}
