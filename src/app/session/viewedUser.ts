import { useSyncExternalStore } from 'react';
import { onSessionChange, sessionIdentity } from './session';

/** Whom this tab views the program as. */
export interface Viewing {
  /** The value of the header `X-View-As`. */
  readonly as: string;
  /** The person's name, or the role's. */
  readonly name: string;
  readonly role: string;
  readonly level: number;
}

/** The request header for viewing as another user. */
export const viewAsHeader = 'X-View-As';

// Per tab: in other tabs the user continues as themselves.
const key = 'assay.viewing';
const listeners = new Set<() => void>();
let lastText: string | null = null;
let lastViewing: (Viewing & { readonly session: string }) | null = null;

/**
 * Whom this tab views the program as, the same object until it changes; null: the user themselves. Viewing ends with
 * the session that started it.
 *
 * @example if (readViewing()) return; // nothing is stored in the name of the viewed user
 */
export function readViewing(): Viewing | null {
  const text = sessionStorage.getItem(key);
  if (text !== lastText) {
    lastText = text;
    lastViewing = text === null ? null : parse(text);
  }
  return lastViewing && lastViewing.session === sessionIdentity() ? lastViewing : null;
}

/** Starts viewing as somebody, in this tab. */
export function saveViewing({ as: viewAs, name, role, level }: Viewing): void {
  sessionStorage.setItem(key, JSON.stringify({ as: viewAs, name, role, level, session: sessionIdentity() }));
  notifyListeners();
}

/** Stops viewing as somebody else. */
export function clearViewing(): void {
  sessionStorage.removeItem(key);
  notifyListeners();
}

/**
 * Whom this tab views the program as; re-renders when it changes.
 *
 * @example const name = useViewing()?.name;
 */
export function useViewing(): Viewing | null {
  return useSyncExternalStore(subscribe, readViewing);
}

function subscribe(listener: () => void): () => void {
  const unfollow = onSessionChange(listener);
  listeners.add(listener);
  return () => {
    unfollow();
    listeners.delete(listener);
  };
}

function notifyListeners(): void {
  listeners.forEach((listener) => listener());
}

function parse(text: string): typeof lastViewing {
  try {
    const value = JSON.parse(text) as Partial<Viewing & { session: string }> | null;
    return value && typeof value.as === 'string' && value.session ? (value as NonNullable<typeof lastViewing>) : null;
  } catch {
    return null;
  }
}
