import { saveSession } from '../../../src/app/session/session';
import { sayMinute } from '../../../src/engine/formats/dates';
import { localToday } from '../../../src/app/data/localTime';
import { signedIn } from '../auth/fakeApi';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Definition, Field, FieldTypeName } from '../../../src/engine/definitions/definition';
import { FieldCell } from '../../../src/app/fields/displays';
import { FieldInput } from '../../../src/app/fields/inputs';

const field = (type: FieldTypeName, more: object = {}) =>
  ({ name: 'link', label: 'Public Link', type, ...more }) as Field;
const link = field('shareLink', { path: 'testcase' });
const owner = { resource: 'things', id: '4' };
const show = (value: unknown, more: object = {}) =>
  render(<FieldInput id="link" field={link} value={value} onChange={() => {}} {...more} />);
const address = () => (document.getElementById('link') as HTMLInputElement).value;
let calls: string[];
let answers: object[];

beforeEach(() => {
  calls = [];
  saveSession(signedIn(2));
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit) => {
    calls.push(`${method} ${path}`);
    return Promise.resolve(new Response(JSON.stringify({ data: answers.shift() })));
  });
});

describe('a share link', () => {
  it('can be copied by readers', async () => {
    const user = userEvent.setup();
    show('abc', { readOnly: true });
    expect(address()).toBe(`${window.location.origin}/testcase/abc`);
    await user.click(screen.getByText('Copy'));
    expect(await screen.findByText('Copied')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(address());
    expect(screen.queryByText('Renew')).toBeNull();
  });

  it('is renewed and revoked after a confirmation, and created again', async () => {
    answers = [
      { id: 4, link: 'new' },
      { id: 4, link: null },
      { id: 4, link: 'again' },
    ];
    const user = userEvent.setup();
    show('abc', { owner });
    await user.click(screen.getByText('Renew'));
    expect(calls).toEqual([]);
    await user.click(screen.getByText('Renew', { selector: '[role=alertdialog] button' }));
    await waitFor(() => expect(address()).toBe(`${window.location.origin}/testcase/new`));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await user.click(screen.getByText('Revoke'));
    await user.click(screen.getByText('Revoke', { selector: '[role=alertdialog] button' }));
    expect(await screen.findByText('No public link')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await user.click(screen.getByText('Create link'));
    await waitFor(() => expect(address()).toBe(`${window.location.origin}/testcase/again`));
    expect(calls).toEqual(['POST /api/things/4/share', 'DELETE /api/things/4/share', 'POST /api/things/4/share']);
  });

  it('follows another version of the record', async () => {
    answers = [{ id: 4, link: 'mine' }];
    const user = userEvent.setup();
    const { rerender } = show(undefined, { owner });
    await user.click(screen.getByText('Create link'));
    await waitFor(() => expect(address()).toMatch(/mine$/));
    rerender(<FieldInput id="link" field={link} value="theirs" onChange={() => {}} owner={owner} />);
    expect(address()).toMatch(/theirs$/);
  });

  it('is a link in a list', () => {
    const cell = { field: link, record: {}, definition: {} as Definition, registry: {} as never };
    const { container } = render(<FieldCell {...cell} value="abc" />);
    expect(container.querySelector('a')?.href).toBe(`${window.location.origin}/testcase/abc`);
    expect(render(<FieldCell {...cell} value={null} />).container.innerHTML).toBe('');
  });
});

describe('times and durations', () => {
  const cellOf = (type: FieldTypeName, value: unknown, more: object = {}) => {
    return render(
      <FieldCell
        field={field(type, more)}
        value={value}
        record={{}}
        definition={{} as Definition}
        registry={{} as never}
      />,
    ).container.textContent;
  };

  it.each([
    ['2026-11-16 14:30', sayMinute('2026-11-16 14:30', localToday())],
    ['09:05', '09:05'],
    [null, ''],
  ])('the time %s shows as %j', (value, text) => expect(cellOf('time', value, { dateField: 'date' })).toBe(text));

  it.each([
    ['1.30', '1h 30m'],
    ['2.00', '2h'],
    ['0.00', ''],
  ])('the duration %s shows as %j', (value, text) => expect(cellOf('duration', value)).toBe(text));

  it('a time is typed without its day', async () => {
    const onChange = vi.fn();
    render(
      <FieldInput id="at" field={field('time', { dateField: 'date' })} value="2026-11-16 14:30" onChange={onChange} />,
    );
    const box = document.getElementById('at') as HTMLInputElement;
    expect(box.value).toBe('14:30');
    await userEvent.setup().type(box, '{Backspace}5');
    expect(onChange).toHaveBeenLastCalledWith('14:35');
  });
});
