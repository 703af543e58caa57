// @module-tag slow
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createContext, use, useState, type ReactNode } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { CommandPalette } from '../../../src/app/commands/CommandPalette';
import { useCommands } from '../../../src/app/commands/commands';
import { matchEntries, type PaletteProps } from '../../../src/app/commands/palette';
import { LoadingLine } from '../../../src/app/layout/LoadingLine';
import type { Menu } from '../../../src/app/layout/menu';
import { PageActions, usePage, type Page } from '../../../src/app/layout/page';
import { Shell, type ShellProps } from '../../../src/app/shell/Shell';
import { markConnected, markDisconnected } from '../../../src/app/session/connection';
import { AppTheme } from '../../../src/app/theme/AppTheme';

const menu: Menu = {
  groups: [
    { items: [{ to: '/overview', label: 'Overview', icon: 'dashboard', mark: <>2</> }] },
    {
      label: 'Work',
      items: [
        { to: '/things', label: 'Things', icon: 'folder' },
        {
          ...{ to: '/things-kinds', label: 'Sorting', icon: 'tag' },
          tabs: [
            { to: '/things-kinds', label: 'Kinds', icon: 'tag' },
            { to: '/sizes', label: 'Sizes', icon: 'tag' },
          ],
        },
      ],
    },
  ],
  settings: [
    { label: 'Lists', items: [{ to: '/colours', label: 'Colours', icon: 'tag' }] },
    { label: 'People', items: [{ to: '/people', label: 'People', icon: 'users' }] },
  ],
};

function Screen(page: Page & { children?: ReactNode }) {
  usePage(page);
  return <>{page.children}</>;
}

/** The places and commands of the frame; records are those of the application's palette. */
function Palette({ groups, commands, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const places = groups.flatMap(({ label, items }) =>
    items.map((item) => ({ id: item.to, icon: item.icon, label: item.label, note: label, to: item.to })),
  );
  const actions = commands.filter(({ keysOnly }) => !keysOnly).map((command) => ({ icon: 'plus', ...command }));
  const sections = [
    { label: 'Actions', entries: matchEntries(actions, text) },
    { label: 'Go to', entries: matchEntries(places, text) },
  ].filter(({ entries }) => entries.length > 0);
  return <CommandPalette {...{ text, sections, onClose }} onText={setText} />;
}

function renderShell(path: string, more: Partial<ShellProps> = {}, content: ReactNode = <Screen title="Things" />) {
  const onSignOut = vi.fn();
  const onOpen = vi.fn();
  const view = (
    <AppTheme>
      <MemoryRouter initialEntries={[path]}>
        <Shell
          menu={menu}
          palette={Palette}
          company="Engines Ltd"
          person={{ name: 'Ada King', email: 'ada@example.test', role: 'Owner' }}
          profilePath="/profile"
          onSignOut={onSignOut}
          notices={{ notices: [], unread: 0, allPath: '/all', onOpen }}
          {...more}
        >
          <Routes>
            <Route path="/colours" element={<Screen title="Colours" />} />
            <Route path="/overview" element={<Screen title="Overview" />} />
            <Route path="*" element={content} />
          </Routes>
        </Shell>
      </MemoryRouter>
    </AppTheme>
  );
  render(view);
  return { user: userEvent.setup(), onSignOut, onOpen };
}

const main = () => within(screen.getByRole('navigation', { name: 'Main' }));

describe('the side menu', () => {
  it('marks the entry with the longest matching path', () => {
    renderShell('/things-kinds/7');
    expect(main().getByRole('link', { current: 'page' }).textContent).toBe('Sorting');
    cleanup();
    renderShell('/things/create');
    expect(main().getByRole('link', { current: 'page' }).textContent).toBe('Things');
  });

  it('shows the marks of entries, folded too', async () => {
    const { user } = renderShell('/things');
    expect(main().getByRole('link', { name: 'Overview 2' })).toBeTruthy();
    await user.click(main().getByRole('button', { name: 'Collapse menu' }));
    expect(main().getByRole('link', { name: 'Overview 2' })).toBeTruthy();
  });

  it('folds to icons that keep their names, and stays folded', async () => {
    const { user } = renderShell('/things');
    await user.click(main().getByRole('button', { name: 'Collapse menu' }));
    cleanup();
    const again = renderShell('/things');
    expect(main().queryByText('Engines Ltd')).toBeNull();
    expect(main().getByRole('link', { name: 'Things' })).toBeTruthy();
    await again.user.click(main().getByRole('button', { name: 'Expand menu' }));
    expect(main().getByText('Engines Ltd')).toBeTruthy();
  });

  it('folds and unfolds by [', async () => {
    const { user } = renderShell('/things');
    await user.keyboard('[[');
    expect(main().getByRole('button', { name: 'Expand menu' })).toBeTruthy();
    await user.keyboard('[[');
    expect(main().getByRole('button', { name: 'Collapse menu' })).toBeTruthy();
  });

  it('says the keys by the button at its foot', async () => {
    const { user } = renderShell('/things');
    await user.click(main().getByRole('button', { name: 'Keyboard shortcuts' }));
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
  });

  it('opens as a drawer, which closes on navigation', async () => {
    const { user } = renderShell('/things');
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }));
    await user.click(drawer.getByRole('link', { name: /Overview/ }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
    await user.click(main().getByRole('link', { name: 'Things' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Things');
    expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull();
  });

  it('can be hidden', () => {
    renderShell('/things', { menuHidden: true });
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    expect(screen.queryByRole('button', { name: /Jump/ })).toBeNull();
  });
});

describe('screens that share an entry of the menu', () => {
  it('show each other as tabs, the records below them do not', async () => {
    const { user } = renderShell('/sizes', { hasTabs: true });
    expect(main().getByRole('link', { current: 'page' }).textContent).toBe('Sorting');
    const tabs = within(screen.getByRole('navigation', { name: 'Sorting' }));
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Sizes');
    await user.click(tabs.getByRole('link', { name: 'Kinds' }));
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Kinds');
    cleanup();
    renderShell('/sizes/3');
    expect(screen.queryByRole('navigation', { name: 'Sorting' })).toBeNull();
  });
});

describe('the settings', () => {
  const settings = async () => within(await screen.findByRole('navigation', { name: 'Settings' }));

  it('have a list of their own beside the screen, found by its words, and a way back', async () => {
    renderShell('/things');
    expect(screen.queryByRole('navigation', { name: 'Settings' })).toBeNull();
    expect(main().queryByRole('link', { name: 'Colours' })).toBeNull();
    cleanup();
    const { user } = renderShell('/colours');
    expect(main().getByRole('link', { current: 'page' }).textContent).toBe('Settings');
    expect(main().getByRole('button', { name: 'Expand menu' })).toBeTruthy();
    const list = await settings();
    expect(list.getByRole('link', { current: 'page' }).textContent).toBe('Colours');
    await user.type(list.getByRole('textbox', { name: 'Find a setting' }), 'peop');
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['People']);
    await user.click(list.getByRole('link', { name: 'Back from the settings' }));
    expect(screen.queryByRole('navigation', { name: 'Settings' })).toBeNull();
  });
});

describe('the bar', () => {
  it('shows the screen’s title, total and back link', () => {
    renderShell('/things', {}, <Screen title="Things" total={64} back={{ to: '/overview', label: 'overview' }} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Things | Total Records: 64');
    expect(screen.getByRole('link', { name: 'Back to overview' }).getAttribute('href')).toBe('/overview');
    expect(document.title).toBe('Things · Assay');
  });

  it('accepts a title that includes its total', () => {
    renderShell('/things', {}, <Screen title="Thing | Total Records: 5" />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Thing | Total Records: 5');
    expect(document.title).toBe('Thing · Assay');
  });

  it("shows the screen's buttons, with the contexts of the screen where they need them", () => {
    const Name = createContext('outside');
    const Save = () => <button type="button">Save {use(Name)}</button>;
    renderShell(
      '/things',
      {},
      <Screen title="Things" actions={<button type="button">Plain</button>}>
        <Name value="inside">
          <PageActions>
            <Save />
          </PageActions>
        </Name>
      </Screen>,
    );
    const bar = within(screen.getByRole('banner'));
    expect(bar.getByRole('button', { name: 'Plain' })).toBeTruthy();
    expect(bar.getByRole('button', { name: 'Save inside' })).toBeTruthy();
  });

  it('takes the title of each next screen', async () => {
    const { user } = renderShell('/things', {}, <Screen title="Things" total={3} />);
    await user.click(main().getByRole('link', { name: /Overview/ }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Overview');
  });

  it('starts with a skip link for keyboard users', async () => {
    const { user } = renderShell('/things');
    await user.tab();
    const skip = screen.getByRole('link', { name: 'Skip to content' });
    expect(document.activeElement).toBe(skip);
    expect(document.querySelector(skip.getAttribute('href')!)).toBe(screen.getByRole('main'));
  });

  it('shows that something is loading', () => {
    renderShell('/things', { progress: <LoadingLine /> });
    expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeTruthy();
  });
});

describe('jumping', () => {
  it('goes to an entry by part of its name, with the keyboard alone', async () => {
    const { user } = renderShell('/things');
    await user.keyboard('{Control>}k{/Control}');
    const input = await screen.findByRole('combobox', { name: 'Jump to' });
    expect(document.activeElement).toBe(input);
    await user.paste('lists col');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['ColoursLists']);
    await user.keyboard('{Enter}');
    expect(screen.getByRole('heading', { level: 1, hidden: true }).textContent).toBe('Colours');
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  });

  it('moves through the entries and says when none matches', async () => {
    const { user } = renderShell('/things');
    await user.click(screen.getByRole('button', { name: /Jump to/ }));
    await screen.findByRole('combobox');
    const chosen = () => screen.getByRole('option', { selected: true }).textContent;
    expect(chosen()).toBe('Collapse menu[');
    await user.keyboard('{ArrowUp}');
    expect(chosen()).toBe('PeoplePeople');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe('Keyboard shortcuts?');
    await user.keyboard('{ArrowDown}');
    expect(chosen()).toBe('Overview');
    await user.paste('zzz');
    expect(screen.getByText('Nothing found. Check the words, or try fewer.')).toBeTruthy();
  });
});

describe('commands', () => {
  function Actions({ run, help }: { run: (what: string) => void; help?: () => void }) {
    useCommands(() => [
      { id: 'add', label: 'Add Thing', keys: 'n', run: () => run('add') },
      { id: 'save', label: 'Save', keys: 'Ctrl+S', run: () => run('save') },
      { id: 'next', label: 'Next thing', keys: 'j', isRepeatable: true, keysOnly: true, run: () => run('next') },
      ...(help ? [{ id: 'help', label: 'Own help', keys: '?', run: help }] : []),
    ]);
    return <input aria-label="Name" />;
  }
  const prepare = (help?: () => void) => {
    const run = vi.fn<(what: string) => void>();
    return { run, ...renderShell('/things', {}, <Actions run={run} help={help} />) };
  };
  const ran = (run: ReturnType<typeof prepare>['run']) => run.mock.calls.map(([what]) => what);

  it('run by their keys, single ones where no text is typed, and no longer once the screen is left', async () => {
    const { run, user } = prepare();
    await user.keyboard('n{Control>}s{/Control}');
    expect(ran(run)).toEqual(['add', 'save']);
    await user.click(screen.getByRole('textbox', { name: 'Name' }));
    await user.keyboard('n{Control>}s{/Control}');
    expect(ran(run)).toEqual(['add', 'save', 'save']);
    cleanup();
    renderShell('/things');
    await user.keyboard('n');
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('run by two keys one after the other, not by the second alone', async () => {
    const run = vi.fn();
    function Pair() {
      useCommands(() => [{ id: 'go', label: 'Go there', keys: 'g t', run }]);
      return null;
    }
    const { user } = renderShell('/things', {}, <Pair />);
    await user.keyboard('t');
    expect(run).not.toHaveBeenCalled();
    await user.keyboard('gt');
    expect(run).toHaveBeenCalledOnce();
    await user.keyboard('gxt');
    expect(run).toHaveBeenCalledOnce();
  });

  it('run again while keys are held down only where that makes sense', async () => {
    const { run, user } = prepare();
    await user.keyboard('{n>3/}{j>3/}');
    expect(ran(run)).toEqual(['add', 'next', 'next', 'next']);
  });

  it('are offered by the palette, which says their keys, and are not run below it', async () => {
    const { run, user } = prepare();
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('combobox');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toContain('Add Thingn');
    expect(screen.queryByRole('option', { name: /Next thing/ })).toBeNull();
    await user.paste('add th');
    await user.keyboard('{Enter}');
    expect(ran(run)).toEqual(['add']);
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  });

  it('are listed by ?, and those of a single key can be switched off', async () => {
    const { run, user } = prepare();
    await user.keyboard('?');
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(dialog.getByText('Add Thing')).toBeTruthy();
    await user.click(dialog.getByRole('switch', { name: 'Shortcuts of a single key' }));
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('n?{Control>}s{/Control}');
    expect(ran(run)).toEqual(['save']);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('of a screen come before those of the frame', async () => {
    const help = vi.fn();
    const { user } = prepare(help);
    await user.keyboard('?');
    expect(help).toHaveBeenCalledOnce();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the profile menu', () => {
  const open = async (user: ReturnType<typeof renderShell>['user']) => {
    await user.click(screen.getByRole('button', { name: 'Ada King, profile menu' }));
    return within(await screen.findByRole('menu', { name: 'Profile' }));
  };

  it('says who is signed in, leads to the profile and signs out', async () => {
    const { user, onSignOut } = renderShell('/things');
    const items = await open(user);
    for (const text of ['Ada King', 'ada@example.test', 'Owner']) expect(items.getByText(text)).toBeTruthy();
    expect(items.getByRole('menuitem', { name: 'Profile' }).getAttribute('href')).toBe('/profile');
    await user.click(items.getByRole('menuitem', { name: 'Sign out' }));
    expect(onSignOut).toHaveBeenCalledOnce();
  });

  it('chooses the theme', async () => {
    const { user } = renderShell('/things');
    const items = await open(user);
    expect(items.getByRole('menuitemradio', { checked: true }).textContent).toBe('Auto');
    await user.click(items.getByRole('menuitemradio', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(items.getByRole('menuitemradio', { checked: true }).textContent).toBe('Dark');
  });
});

describe('notifications', () => {
  const notice = { id: 1, title: 'A shot is yours', date: new Date().toISOString(), isRead: false };

  it('counts the unread and opens one', async () => {
    const notices = { notices: [notice, { ...notice, id: 2, title: 'Old', isRead: true }], unread: 1, allPath: '/all' };
    const onOpen = vi.fn();
    const { user } = renderShell('/things', { notices: { ...notices, onOpen } });
    await user.click(screen.getByRole('button', { name: 'Notifications, 1 unread' }));
    const list = within(await screen.findByRole('dialog', { name: 'Notifications' }));
    expect((await list.findByRole('link', { name: 'See all' })).getAttribute('href')).toBe('/all');
    expect(list.queryByRole('button', { name: /Unread: Old/ })).toBeNull();
    await user.click(list.getByRole('button', { name: /Unread: A shot is yours/ }));
    expect(onOpen).toHaveBeenCalledWith(notice);
  });

  it('says when there are none', async () => {
    const { user } = renderShell('/things');
    await user.click(screen.getByRole('button', { name: 'Notifications' }));
    expect(await screen.findByText(/^Nothing new\./)).toBeTruthy();
  });
});

describe('a lost connection', () => {
  it('dims the screen once it may be out of date, until there is a connection again', () => {
    vi.useFakeTimers();
    try {
      renderShell('/things');
      const isDimmed = () => document.querySelector('main')!.hasAttribute('data-stale');
      act(markDisconnected);
      act(() => void vi.advanceTimersByTime(59_000));
      expect(isDimmed()).toBe(false);
      act(() => void vi.advanceTimersByTime(2_000));
      expect(isDimmed()).toBe(true);
      act(markConnected);
      expect(isDimmed()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});
