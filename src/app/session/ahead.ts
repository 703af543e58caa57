import { readSession, sessionMark } from './session';
import { readViewing } from './viewing';

/** Sends a request to the API, as `requestApi` does. */
type Ask = (path: string, init?: Init) => Promise<Response>;
type Init = RequestInit & { limit?: number };

interface Asked {
  readonly answer: Promise<Response>;
  readonly end: AbortController;
}

/** Milliseconds for which a prefetched response is used, and in which a screen's requests are recorded. */
const worthFor = 10_000;
const noteFor = 4_000;
const mostAddresses = 30;
const mostPaths = 8;
const mostScripts = 40;
const longestPath = 1_500;

/** What every screen requests; the event stream first, so that it reports changes made after the other responses. */
const always: readonly (readonly [string, Init?])[] = [
  ['/events', { headers: { Accept: 'text/event-stream' }, limit: Infinity }],
  ['/me'],
  ['/definitions'],
];

const asked = new Map<string, Asked>();
let askedAs = '';
let noted: Set<string> | undefined;

/**
 * Sends the requests of the screen at this address while the application's code is still loading: those of all screens,
 * and those that this one made the last time. `requestApi` uses the responses.
 */
export function askAhead(ask: Ask): void {
  const session = readSession();
  if (!session) return;
  const address = addressNow();
  letGo();
  askedAs = whoAsks();
  for (const [path, init] of [...always, ...pathsOf(session.user.id, address).map((path) => [path] as const)]) {
    const end = new AbortController();
    const answer = ask(path, { ...init, signal: end.signal });
    answer.catch(() => undefined);
    asked.set(path, { answer, end });
  }
  const paths = (noted = new Set());
  setTimeout(() => {
    noted = undefined;
    if (whoAsks() === askedAs && location.pathname === address.split('?')[0])
      note(session.user.id, address, [...paths]);
  }, noteFor);
  setTimeout(letGo, worthFor);
}

/** Aborts requests that nobody has taken. */
function letGo(): void {
  for (const { end } of asked.values()) end.abort();
  asked.clear();
}

/** The prefetched response of a path, once, aborted by the signal; undefined if there is none. */
export function takeAhead(path: string, signal?: AbortSignal | null): Promise<Response> | undefined {
  if (!always.some(([one]) => one === path) && path.length <= longestPath) noted?.add(path);
  const one = asked.get(path);
  asked.delete(path);
  if (!one || signal?.aborted || whoAsks() !== askedAs) return undefined;
  signal?.addEventListener('abort', () => one.end.abort());
  return one.answer;
}

const addressNow = () => location.pathname + location.search;
const whoAsks = () => `${sessionMark()} ${readViewing()?.as ?? ''}`;

/** What a screen needed when its address was last opened; also read by `public/preload.js`. */
interface Note {
  /** The requested API paths. */
  readonly paths: readonly string[];
  /** The loaded scripts, and the entry script of their build: another build has other files. */
  readonly scripts: readonly string[];
  readonly entry: string;
  /** Whether the side menu was folded. */
  readonly folded: boolean;
}

type Notes = Record<string, Partial<Note>>;
const keyOf = (person: number) => `assay.ahead.${person}`;

function readNotes(person: number): Notes {
  try {
    const notes: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '{}');
    return typeof notes === 'object' && notes !== null ? (notes as Notes) : {};
  } catch {
    return {};
  }
}

function pathsOf(person: number, address: string): readonly string[] {
  const { paths } = readNotes(person)[address] ?? {};
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string').slice(0, mostPaths) : [];
}

/** The last entry is the address opened last; the oldest are dropped. */
function note(person: number, address: string, paths: readonly string[]): void {
  const { [address]: _, ...others } = readNotes(person);
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
  const scripts = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name !== entry && new URL(name).pathname.endsWith('.js') && name.includes('/static/'));
  const own: Note = {
    paths: paths.slice(0, mostPaths),
    scripts: [...new Set(scripts)].slice(0, mostScripts),
    entry,
    folded: document.querySelector('.side[data-folded]') !== null,
  };
  const entries = [...Object.entries(others), [address, own] as const];
  try {
    localStorage.setItem(keyOf(person), JSON.stringify(Object.fromEntries(entries.slice(-mostAddresses))));
  } catch {
    // Storage is full or disabled: the screen sends its requests itself.
  }
}
