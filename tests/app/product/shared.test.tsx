// @module-tag slow
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Root } from '../../../src/app/Root';
import { publicScreens } from '../../../custom-screens/public';
import { parseSharedPath } from '../../../src/app/shared/sharedPaths';
import { RichText } from '../../../src/app/fields/richText/RichText';
import '../../../custom-screens/shared-test-case/SharedTestCase';

const shared = {
  name: 'Card is charged twice',
  description: '<p>Pay <strong>twice</strong></p>',
  test_data: 'Card 4000',
  pre_conditions: 'Signed in',
  steps_to_reproduce: '1. Open\n2. Press',
  expected_result: 'One charge',
  actual_result: 'Two charges',
  video_url: 'video.test/1',
  screenshot: { name: 'two.png', url: '/api/files/1?signature=x' },
  module: { name: 'Payments' },
  sub_module: { name: '3-D Secure' },
  type: { option_name: 'Functional' },
  task: { name: 'Make payment idempotent' },
  action: { option_name: 'Back' },
  device: { option_name: 'Phone' },
  result: { option_name: 'Failed' },
  priority: { option_name: 'Urgent' },
  status: { option_name: 'Ready for QA' },
  assign: { name: 'Grace Hopper' },
  created_by: { name: 'Ada King' },
};

function open(answer: { status: number; body: unknown }, path = '/testcase/abcdefghijklmnopqrstuv') {
  const calls: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    const isShared = /shar/.test(address);
    if (isShared) calls.push([address, init]);
    const { status, body } = isShared ? answer : { status: 404, body: {} };
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  window.history.replaceState(null, '', path);
  render(<Root loadAdmin={() => new Promise(() => {})} publicScreens={publicScreens} />);
  return calls;
}
const factOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling as HTMLElement;
const textOf = (label: string) => screen.getByText(label, { selector: 'h2' }).nextElementSibling as HTMLElement;

describe('a shared test case', () => {
  it('shows all its fields to a visitor who is not signed in', async () => {
    const calls = open({ status: 200, body: { data: shared } });
    expect((await screen.findByText('Testcase: Card is charged twice')).tagName).toBe('H1');
    await waitFor(() => expect(document.title).toMatch(/^Testcase: Card is charged twice/));
    const facts = {
      'Project Module': 'Payments',
      'Sub Module': '3-D Secure',
      Type: 'Functional',
      Task: 'Make payment idempotent',
      Action: 'Back',
      'Device Type': 'Phone',
      Result: 'Failed',
      Priority: 'Urgent',
      Status: 'Ready for QA',
      Assignee: 'Grace Hopper',
      'Created by': 'Ada King',
    };
    for (const [label, text] of Object.entries(facts)) expect(factOf(label).textContent).toBe(text);
    const texts = {
      Description: 'Pay twice',
      'Test Data': 'Card 4000',
      'Pre-conditions': 'Signed in',
      'Steps to Reproduce': '1. Open\n2. Press',
      'Expected Result': 'One charge',
      'Actual Result': 'Two charges',
    };
    for (const [label, text] of Object.entries(texts)) expect(textOf(label).textContent).toBe(text);
    expect(within(factOf('Video URL')).getByText('video.test/1').closest('a')?.href).toBe('https://video.test/1');
    expect(textOf('Screenshot').querySelector('img')?.getAttribute('src')).toBe('/api/files/1?signature=x');
    expect(document.querySelector('input, textarea, form')).toBeNull();
    const [address, init] = calls[0]!;
    expect([address, init.method, init.body]).toEqual([
      '/api/sharable-test-case',
      'POST',
      '{"sharable_link":"abcdefghijklmnopqrstuv","authenticateUrl":1}',
    ]);
  });

  it('marks missing values', async () => {
    open({ status: 200, body: { data: { name: 'Bare' } } });
    await screen.findByText('Testcase: Bare');
    expect(factOf('Priority').textContent).toBe('–Nothing');
    expect(textOf('Screenshot').querySelector('img')).toBeNull();
  });

  it('redirects an invalid link to the root, and from there to sign-in', async () => {
    open({ status: 200, body: { data: null } });
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
  });

  it('offers a retry if the server does not respond', async () => {
    open({ status: 503, body: { message: 'One moment, please.' } });
    expect((await screen.findByRole('alert')).textContent).toContain('One moment, please.');
    expect(screen.getByText('Try again')).toBeTruthy();
    expect(window.location.pathname).toContain('/testcase/');
  });
});

describe('a shared record of any other module', () => {
  const path = `/jar/${'aB3-'.repeat(8)}`;
  const field = (name: string, type: string, value: unknown, text: string) => ({
    name,
    label: name,
    type,
    width: 'half',
    value,
    text,
  });
  const data = {
    label: 'Jar',
    title: 'Cumin',
    fields: [
      field('Story', 'richText', '<p>From <b>Fez</b></p>', 'From Fez'),
      field('Weight', 'number', 2, '2.0'),
      field('Web', 'url', 'jar.test/1', 'jar.test/1'),
      field('Lid', 'select', null, ''),
    ],
  };

  it('is rendered from the server’s response', async () => {
    const calls = open({ status: 200, body: { data } }, path);
    expect((await screen.findByText('Cumin')).tagName).toBe('H1');
    expect(screen.getByText('Shared jar, read-only')).toBeTruthy();
    await waitFor(() => expect(document.title).toMatch(/^Cumin/));
    expect(textOf('Story').querySelector('b')?.textContent).toBe('Fez');
    expect(factOf('Weight').textContent).toBe('2.0');
    expect(factOf('Lid').textContent).toBe('–Nothing');
    expect(factOf('Web').querySelector('a')?.href).toBe('https://jar.test/1');
    expect(calls.map(([address, init]) => [address, init.body])).toEqual([
      ['/api/shared-records', JSON.stringify({ path: 'jar', link: path.slice(5) })],
    ]);
  });

  it('says that a link is not valid, and links to the application', async () => {
    open({ status: 200, body: { data: null } }, path);
    expect((await screen.findByRole('alert')).textContent).toContain('This link is not valid');
    fireEvent.click(screen.getByText('Go to Assay'));
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
  });

  it.each([
    '/jars/17',
    '/studio/notification-templates-of-jars',
    `/auth/${'aB3-'.repeat(8)}`,
    `/jars/${'aB3-'.repeat(8)}/x`,
  ])('is not what %s shows', (other) => expect(parseSharedPath(other)).toBeUndefined());
});

describe('formatted text', () => {
  it('is built from safe elements only', () => {
    const html =
      '<h2 onclick="x()">Title</h2><p style="position:fixed">One<br>two <img src=x onerror=alert(1)></p>' +
      '<script>alert(1)</script><iframe src="//x"></iframe><svg><a href="#x">three</a></svg>' +
      '<a href="javascript:alert(1)">bad</a><a href="https://a.test" onmouseover="x()">good</a><ol start="3"><li>four</li></ol>';
    const { container } = render(<RichText html={html} />);
    expect(
      container.querySelectorAll('script, iframe, img, svg, style, [onclick], [onmouseover], [style]'),
    ).toHaveLength(0);
    expect(container.textContent).toBe('TitleOnetwo threebadgoodfour');
    const links = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(links.filter(Boolean)).toEqual(['https://a.test']);
    expect(container.querySelector('ol')?.getAttribute('start')).toBe('3');
  });
});
