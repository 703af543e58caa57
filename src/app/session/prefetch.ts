import { readSession, sessionIdentity } from './session';
import { readViewing } from './viewedUser';

/** Sends a request to the API, as `requestApi` does. */
type SendRequest = (path: string, init?: Init) => Promise<Response>;
type Init = RequestInit & { limit?: number };

interface PrefetchedRequest {
  readonly response: Promise<Response>;
  readonly end: AbortController;
}

/** Milliseconds for which a prefetched response is used, and in which a screen's requests are recorded. */
const prefetchLifetime = 10_000;
const recordingTime = 4_000;
const maxAddresses = 30;
const maxPaths = 8;
const maxScripts = 40;
const maxPathLength = 1_500;

/** The requests of every screen; the event stream first, so that it reports changes made after the other responses. */
const commonRequests: readonly (readonly [string, Init?])[] = [
  ['/events', { headers: { Accept: 'text/event-stream' }, limit: Infinity }],
  ['/me'],
  ['/definitions'],
];

const prefetched = new Map<string, PrefetchedRequest>();
let prefetchedFor = '';
let recordedPaths: Set<string> | undefined;
let recordedScripts: readonly string[] | undefined;

/**
 * Sends the requests of the screen at this address while the application's code is still loading: those of all screens,
 * and those that this one made the last time. `requestApi` uses the responses.
 */
export function prefetchRequests(ask: SendRequest): void {
  const session = readSession();
  if (!session) return;
  const address = currentAddress();
  discardPrefetched();
  prefetchedFor = currentIdentity();
  for (const [path, init] of [
    ...commonRequests,
    ...notedPaths(session.user.id, address).map((path) => [path] as const),
  ]) {
    const end = new AbortController();
    const answer = ask(path, { ...init, signal: end.signal });
    answer.catch(() => undefined);
    prefetched.set(path, { response: answer, end });
  }
  const paths = (recordedPaths = new Set());
  setTimeout(() => {
    recordedPaths = undefined;
    if (currentIdentity() === prefetchedFor && location.pathname === address.split('?')[0])
      saveNote(session.user.id, address, [...paths]);
  }, recordingTime);
  setTimeout(discardPrefetched, prefetchLifetime);
}

/** Aborts requests that nobody has taken. */
function discardPrefetched(): void {
  for (const { end } of prefetched.values()) end.abort();
  prefetched.clear();
}

/** The prefetched response of a path, once, aborted by the signal; undefined if there is none. */
export function takePrefetched(path: string, signal?: AbortSignal | null): Promise<Response> | undefined {
  if (!commonRequests.some(([commonPath]) => commonPath === path) && path.length <= maxPathLength)
    recordedPaths?.add(path);
  const request = prefetched.get(path);
  prefetched.delete(path);
  if (!request || signal?.aborted || currentIdentity() !== prefetchedFor) return undefined;
  signal?.addEventListener('abort', () => request.end.abort());
  return request.response;
}

const currentAddress = () => location.pathname + location.search;
/** Who is signed in, and as whom they view. */
export const currentIdentity = () => `${sessionIdentity()} ${readViewing()?.as ?? ''}`;

/** The requests and scripts of a screen when its address was last opened; also read by `public/preload.js`. */
interface ScreenNote {
  /** The requested API paths. */
  readonly paths: readonly string[];
  /** The loaded scripts, and the entry script of their build: another build has other files. */
  readonly scripts: readonly string[];
  readonly entry: string;
  /** Whether the side menu was folded. */
  readonly folded: boolean;
}

type ScreenNotes = Record<string, Partial<ScreenNote>>;
const keyOf = (person: number) => `assay.ahead.${person}`;

function readNotes(person: number): ScreenNotes {
  try {
    const notes: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '{}');
    return typeof notes === 'object' && notes !== null ? (notes as ScreenNotes) : {};
  } catch {
    return {};
  }
}

function notedPaths(person: number, address: string): readonly string[] {
  const { paths } = readNotes(person)[address] ?? {};
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string').slice(0, maxPaths) : [];
}

const entryScript = () => document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';

function loadedScripts(): readonly string[] {
  const scripts = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name !== entryScript() && new URL(name).pathname.endsWith('.js') && name.includes('/static/'));
  return [...new Set(scripts)];
}

/** The screen shows its content: scripts that are loaded from now on are not asked for when it is opened again. */
export function endScriptRecording(): void {
  recordedScripts ??= loadedScripts();
}

/** The last entry is the address opened last; the oldest are dropped. */
function saveNote(person: number, address: string, paths: readonly string[]): void {
  const { [address]: _, ...otherNotes } = readNotes(person);
  const entry = entryScript();
  const screenNote: ScreenNote = {
    paths: paths.slice(0, maxPaths),
    scripts: (recordedScripts ?? loadedScripts()).slice(0, maxScripts),
    entry,
    folded: document.querySelector('nav[data-folded]') !== null,
  };
  const entries = [...Object.entries(otherNotes), [address, screenNote] as const];
  try {
    localStorage.setItem(keyOf(person), JSON.stringify(Object.fromEntries(entries.slice(-maxAddresses))));
  } catch {
    // Storage is full or disabled: the screen sends its requests itself.
  }
}
