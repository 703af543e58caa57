import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { Root } from '../../../src/app/Root';
import { takeQueuedToasts } from '../../../src/app/session/toastQueue';

/** A stub of the signed-in application that shows the queued toasts. */
function Inside() {
  return <output aria-label="application">{takeQueuedToasts().map(({ message }) => message)}</output>;
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

/** Sets the text of a field with focus, as users do: it blurs on the next click. */
export async function fill(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field);
  await user.paste(text);
}
