import { useSyncExternalStore } from 'react';
import { onSessionChange, sessionMark } from './session';

/** As whom this tab sees the program. */
export interface Viewing {
  /** What the header `X-View-As` says. */
  readonly as: string;
  /** The person's name, or the role's. */
  readonly name: string;
  readonly role: string;
  readonly level: number;
}

/** The request header that says as whom the program is seen. */
export const viewAsHeader = 'X-View-As';

// One tab, not the browser: beside it the viewer goes on working as themselves.
const key = 'assay.viewing';
const listeners = new Set<() => void>();
let lastText: string | null = null;
let lastViewing: (Viewing & { readonly session: string }) | null = null;

/** As whom this tab sees the program, the same object until it changes; null: as oneself. It ends with the session that began it. */
export function readViewing(): Viewing | null {
  const text = sessionStorage.getItem(key);
  if (text !== lastText) {
    lastText = text;
    lastViewing = text === null ? null : parse(text);
  }
  return lastViewing && lastViewing.session === sessionMark() ? lastViewing : null;
}

/** Sees the program as somebody from now on, in this tab. */
export function keepViewing({ as, name, role, level }: Viewing): void {
  sessionStorage.setItem(key, JSON.stringify({ as, name, role, level, session: sessionMark() }));
  tell();
}

/** Sees the program as oneself again. */
export function stopViewing(): void {
  sessionStorage.removeItem(key);
  tell();
}

/** As whom this tab sees the program, followed. */
export function useViewing(): Viewing | null {
  return useSyncExternalStore(follow, readViewing);
}

function follow(listener: () => void): () => void {
  const unfollow = onSessionChange(listener);
  listeners.add(listener);
  return () => {
    unfollow();
    listeners.delete(listener);
  };
}

function tell(): void {
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
