import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { CoreAdminContext, testDataProvider, useNotify } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfirmDialog } from '../../../src/app/dialogs/ConfirmDialog';
import { relativeTime } from '../../../src/app/layout/relativeTime';
import { hueOf, initials } from '../../../src/app/chips/initials';
import { Toasts } from '../../../src/app/layout/Toasts';
import { markConnected, markDisconnected } from '../../../src/app/session/connection';
import { queueToast, takeQueuedToasts } from '../../../src/app/session/toastQueue';
// The bar has the screen for a lost connection.
import '../../../src/app/shell/OfflineBar';
import { TabBar } from '../../../src/app/layout/TabBar';
import { lazyComponent, lazyDetail, lazyScreen, LoadingFallback } from '../../../src/app/states/lazyComponent';
import { EmptyState } from '../../../src/app/states/EmptyState';
import { FailedState } from '../../../src/app/states/FailedState';
import { SkeletonRows } from '../../../src/app/states/SkeletonRows';

describe('a confirmation', () => {
  it('starts on Cancel and does nothing by Enter', async () => {
    const onConfirm = vi.fn();
    const onClose = vi.fn();
    render(<ConfirmDialog open question="Sure?" confirmLabel="Delete" {...{ onConfirm, onClose }} />);
    expect(screen.getByRole('alertdialog', { name: 'Sure?' })).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    const user = userEvent.setup();
    await user.keyboard('{Enter}');
    expect(onClose).toHaveBeenCalledOnce();
    expect(onConfirm).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('cannot be closed while the action is in progress', async () => {
    const onClose = vi.fn();
    render(<ConfirmDialog open isBusy question="Sure?" confirmLabel="Delete" onConfirm={() => {}} onClose={onClose} />);
    await userEvent.setup().keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('states', () => {
  beforeEach(() => markConnected());

  it('says that nothing was found, why, and what to do', () => {
    render(<EmptyState sentence="Nothing yet." action={<button type="button">Add</button>} />);
    expect(screen.getByRole('heading', { name: 'No Data Found' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy();
  });

  it('shows what failed and retries', async () => {
    const onRetry = vi.fn();
    render(<FailedState title="Colours could not be loaded" message="No answer." onRetry={onRetry} />);
    expect(screen.getByRole('alert').textContent).toContain('Colours could not be loaded');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('says while there is no connection that nothing entered is lost, and tries once more when it is back', async () => {
    const onRetry = vi.fn();
    const load = vi
      .fn<() => Promise<{ default: ComponentType }>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockResolvedValue({ default: () => <p>Here</p> });
    const Part = lazyComponent(load);
    markDisconnected();
    render(
      <MemoryRouter>
        <FailedState
          title="Colours could not be loaded"
          message="CORS error: Failed to fetch"
          link={{ to: '/', label: 'All colours' }}
          onRetry={onRetry}
        />
        <Part />
      </MemoryRouter>,
    );
    await screen.findByText('There is no connection. This part appears when it is back; what you entered is kept.');
    await screen.findByText(/It is loaded when the connection is back/);
    expect(screen.queryByText(/CORS error/)).toBeNull();
    expect(screen.getByRole('link', { name: 'All colours' })).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalledOnce();
    act(markConnected);
    await screen.findByText('Here');
    expect(onRetry).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['the page before', ['/', '/colours'], 'Back to the page before'],
    ['the home page, where no page was before,', ['/colours'], 'Home page'],
  ])('offers %s in place of a screen that was not opened before, which opens later', async (_, pages, label) => {
    const load = vi
      .fn<() => Promise<{ default: ComponentType }>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockResolvedValue({ default: () => <p>Here</p> });
    const Screen = lazyScreen(load);
    markDisconnected();
    render(
      <MemoryRouter initialEntries={pages}>
        <Screen />
      </MemoryRouter>,
    );
    expect(await screen.findByRole('heading', { name: 'This page was not opened before' })).toBeTruthy();
    expect(screen.getByText(label)).toBeTruthy();
    act(markConnected);
    await screen.findByText('Here');
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('offers the home page where another address replaced the first one', async () => {
    window.history.replaceState({ idx: 0 }, '');
    markDisconnected();
    const Screen = lazyScreen(() => Promise.reject(new TypeError('Failed to fetch')));
    render(
      <MemoryRouter initialEntries={[{ pathname: '/colours', key: 'replaced' }]}>
        <Screen />
      </MemoryRouter>,
    );
    expect(await screen.findByText('Home page')).toBeTruthy();
    window.history.replaceState(null, '');
    markConnected();
  });

  it('keeps the focus on a tab where another bar takes the place of its own', () => {
    const bar = (place: string) => (
      <TabBar
        key={place}
        id="list"
        label="Colours"
        tabs={[
          { name: 'all', label: 'All' },
          { name: 'red', label: 'Red' },
        ]}
        chosenTab="all"
        onChoose={() => {}}
      />
    );
    const { rerender } = render(bar('first'));
    screen.getByRole('tab', { name: 'Red' }).focus();
    rerender(bar('second'));
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Red' }));
  });

  it('says that a part could not be loaded, and loads it when asked to or when the connection is back', async () => {
    const load = vi
      .fn<() => Promise<{ default: ComponentType<{ name: string }> }>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockResolvedValue({ default: ({ name }) => <p>Hello, {name}</p> });
    const Part = lazyComponent(load);
    const user = userEvent.setup();
    const show = () =>
      render(
        <LoadingFallback fallback={<p>On its way</p>}>
          <Part name="Ada" />
        </LoadingFallback>,
      );
    show();
    expect((await screen.findByRole('alert')).textContent).toContain('This part could not be loaded.');
    expect(screen.getByText('On its way')).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(2);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('Hello, Ada')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText('On its way')).toBeNull();
    // What has been loaded once is shown at once.
    cleanup();
    show();
    expect(screen.getByText('Hello, Ada')).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('are left out without a message where a fallback is shown', async () => {
    let fail = (_error: Error) => {};
    const load = vi.fn<() => Promise<{ default: ComponentType<{ name: string }> }>>(
      () => new Promise((_done, reject) => (fail = reject)),
    );
    const Part = lazyDetail<ComponentType<{ name: string }>>(load, ({ name }) => <p>Hello, {name}</p>);
    render(<Part name="Ada" />);
    await act(async () => fail(new TypeError('Failed to fetch dynamically imported module')));
    expect(screen.getByText('Hello, Ada')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('announce once that rows are loading', () => {
    render(<SkeletonRows rows={3} />);
    expect(screen.getByRole('status').textContent).toBe('Loading…');
  });
});

describe('toasts', () => {
  it('shows toasts queued before sign-in, then those of the application', async () => {
    const Saver = () => {
      const notify = useNotify();
      return (
        <button type="button" onClick={() => notify('Not saved', { type: 'error' })}>
          Save
        </button>
      );
    };
    queueToast({ message: 'Login Successfully!', kind: 'success' });
    render(
      <CoreAdminContext dataProvider={testDataProvider()}>
        <Saver />
        <Toasts />
      </CoreAdminContext>,
    );
    expect(await screen.findByText('Login Successfully!')).toBeDefined();
    expect(takeQueuedToasts()).toEqual([]);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Not saved');
  });
});

describe('short texts', () => {
  const now = new Date('2026-11-21T12:00:00');
  it.each([
    ['2026-11-21T11:59:40', 'now'],
    ['2026-11-21T11:42:00', '18 min'],
    ['2026-11-21T08:00:00', '4 h'],
    ['2026-11-20T23:00:00', 'Yesterday'],
    ['2026-11-18T09:00:00', '18 Nov'],
    ['2025-11-18T09:00:00', '18 Nov 2025'],
    ['never', ''],
  ])('says how long ago %s was: %s', (instant, words) => expect(relativeTime(instant, now)).toBe(words));

  it.each([
    ['Ada King Lovelace', 'AL'],
    ['  émile ', 'É'],
    ['', ''],
  ])('takes the initials of "%s": %s', (name, letters) => expect(initials(name)).toBe(letters));

  it('gives a name the same one of six tints every time', () => {
    expect(hueOf('Ada King')).toBe(hueOf('Ada King'));
    for (const name of ['a', 'b', 'Ada', 'Zoë', '']) expect([1, 2, 3, 4, 5, 6]).toContain(hueOf(name));
  });
});
