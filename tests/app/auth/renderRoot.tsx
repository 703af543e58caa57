import { cleanup, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { Root } from '../../../src/app/Root';
import { takeToasts } from '../../../src/app/session/toastHandover';

/** Stands in for the signed-in application: says that it is there and which toasts were left for it. */
function Inside() {
  return <output aria-label="application">{takeToasts().map(({ message }) => message)}</output>;
}

/** Opens the application at a path. */
export function renderRoot(path: string) {
  window.history.replaceState(null, '', path);
  render(
    <Root
      loadAdmin={async () => ({ default: Inside })}
      publicScreens={[{ start: '/shared/', load: async () => ({ default: Inside }) }]}
    />,
  );
  return userEvent.setup();
}

/** Puts a text into a field, at once and as people do: the focus goes there, and leaves on the next click. */
export async function fill(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field);
  await user.paste(text);
}

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});
