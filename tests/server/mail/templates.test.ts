import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailComposer } from '../../../src/server/accounts/mails/mails';
import { mailText, renderMail, templateProblem } from '../../../src/server/mail/render';
import { startPosting, type Posting } from './posting';

const hostile = '<script>alert(1)</script><img src=x onerror=y>&"\'';
const values = { name: hostile, company: 'A & B', link: 'https://a.test/x?a=1&b=2', code: 'c0de', email: 'a@b.test' };
const render = (content: string, subject = 'S') => renderMail({ subject, content }, values);

describe('a template', () => {
  test.each([['{{name}}'], ['{{{name}}}'], ['{{&name}}'], ['{{#name}}{{.}}{{/name}}'], ['{{#name}}{{{.}}}{{/name}}']])(
    '%s never makes markup of a value',
    (placeholder) => {
      const { html, text } = render(`<p>${placeholder}</p>`);
      expect(html).not.toMatch(/<script>alert|<img/);
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(text).toContain('<script>alert(1)</script>');
    },
  );

  test.each([
    ['{{constructor}}', ''],
    ['{{toString}}', ''],
    ['{{__proto__}}', ''],
    ['{{name.constructor.constructor}}', ''],
    ['{{unknown}}', ''],
    ['{{> partial}}', ''],
    ['{{#unknown}}x{{/unknown}}', ''],
    ['{{^unknown}}x{{/unknown}}', 'x'],
  ])('%s is %j', (placeholder, expected) => expect(render(`<p>[${placeholder}]</p>`).text).toBe(`[${expected}]\n`));

  test('a word of 255 letters breaks, and each block has the direction of its text', () => {
    const template = { subject: 'x', content: '<p>{{name}}</p><ul><li>\u05e9\u05dc\u05d5\u05dd</li></ul>' };
    const { html } = renderMail(template, { name: 'x'.repeat(255) });
    expect(html).toContain('overflow-wrap:anywhere');
    expect(html).toContain(`<p dir="auto">${'x'.repeat(255)}</p>`);
    expect(html).toContain('<li dir="auto">\u05e9');
  });

  test('a subject is one line of plain text', () => {
    const { subject, html } = renderMail({ subject: 'To {{name}}\r\nBcc: x@y.test', content: '<p>x</p>' }, values);
    expect(subject).toBe(`To ${hostile} Bcc: x@y.test`);
    expect(html).toContain('<title>To &lt;script&gt;');
  });

  test('header and footer frame the content, in both parts', () => {
    const { html, text } = renderMail(
      { subject: 'S', header: '<p>Top</p>', content: '<p>Mid</p>', footer: '<p>End</p>' },
      values,
    );
    expect(html).toMatch(/Top[^]*Mid[^]*End/);
    expect(text).toBe('Top\n\nMid\n\nEnd\n');
  });

  test.each([
    ['{{#a}}x', 'Unclosed section "a" at 7'],
    ['{{a', 'Unclosed tag at 3'],
    ['{{a}} and {{b}}', undefined],
  ])('%s: %s', (text, fault) => expect(templateProblem(text)).toBe(fault));
});

test.each([
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['<p>One<br />Two</p>', 'One\nTwo'],
  ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
  ['<p>See <a href="https://a.test/?a=1&amp;b=2">there</a>.</p>', 'See there: https://a.test/?a=1&b=2.'],
  ['<a href="https://a.test">https://a.test</a>', 'https://a.test'],
  ['<p>&lt;b&gt; &amp;amp; &#39;&#x41;&nbsp;&unknown;</p>', "<b> &amp; 'A &unknown;"],
  ['<p>Do:</p><ul><li><p>a</p></li><li><p>b</p></li></ul><p>c</p>', 'Do:\n\n- a\n- b\n\nc'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  ['<h1>Title</h1>\n\n  <p>text</p>', 'Title\n\ntext'],
])('the text of %s', (html, text) => expect(mailText(html)).toBe(text));

describe('templates of the installation and of companies', () => {
  let started: Posting;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    started = await startPosting();
    for (const account of ['admin', 'owner', 'manager', 'qa', 'owner@harbour.test'])
      tokens[account] = await started.signIn(account);
  });
  afterAll(() => started.close());
  const call = (method: string, path: string, as: string, body?: unknown) =>
    started.call(method, path, { token: tokens[as], body });
  const own = {
    identifier: 'password_changed',
    subject: 'Changed for {{name}}',
    content: '<p>Dear {{name}} of {{company}}: <a href="{{link}}">here</a> {{code}}</p>',
    header: '<p>Our header</p>',
    from: 'answers@demo.test',
    cc: 'Developer@demo.test',
    bcc: 'manager@demo.test, owner@demo.test',
  };
  const forgot = async (email: string) => {
    await started.call('POST', '/forgot-password', { body: { email } });
    return started.office.next();
  };
  let id: number;

  const changePassword = async (as: string) => {
    const { body } = await call('GET', '/me', as);
    const password = {
      change_password: true,
      current_password: 'Demo@1234',
      new_password: 'Quiet#Harbour7',
      confirm_password: 'Quiet#Harbour7',
    };
    expect((await call('PUT', `/profile/${body.data.user.id}`, as, password)).status).toBe(200);
    return started.office.next();
  };

  test("a company's own template is preferred for mails within it, with copies to its confirmed users", async () => {
    const made = await call('POST', '/email-templates', 'owner', own);
    expect(made.status).toBe(201);
    id = made.body.id;
    // Who left the company since gets no copies any more.
    await call('PUT', `/users/${(await call('GET', '/me', 'manager')).body.data.user.id}`, 'owner', { status_id: 3 });
    const mail = await changePassword('qa');
    expect([mail.from, mail.to]).toEqual([
      'post@assay.example.com',
      ['qa@demo.test', 'Developer@demo.test', 'owner@demo.test'],
    ]);
    expect(mail.headers).toMatchObject({
      subject: 'Changed for Quentin Marsh',
      from: 'Assay <post@assay.example.com>',
      'reply-to': 'answers@demo.test',
      cc: 'Developer@demo.test',
      'auto-submitted': 'auto-generated',
    });
    expect(mail.headers.bcc).toBeUndefined();
    const link = 'https://assay.example.com/auth/forgot-password';
    expect(mail.text.trim()).toBe(`Our header\n\nDear Quentin Marsh of Atlas Pictures: here: ${link}`);
    expect((await changePassword('owner@harbour.test')).headers.subject).toBe('Your Assay password was changed');
  });

  test.each([
    ['identifier', { identifier: 'account_setup' }],
    ['identifier', { identifier: 'Forgot_Password' }],
    ['identifier', { identifier: 'address_in_use' }],
    ['cc', { identifier: 'complaint_answered', cc: 'qa@demo.test, stranger@evil.example' }],
    ['bcc', { identifier: 'complaint_answered', bcc: 'owner@harbour.test' }],
  ])("a company's own is refused on its %s: %j", async (field, change) => {
    const { status, body } = await call('POST', '/email-templates', 'owner', { ...own, ...change });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });

  test('the occasions of the product are among those whose texts a company can change', async () => {
    const answer = await call('POST', '/email-templates', 'owner', { ...own, identifier: 'account_setup' });
    expect(JSON.stringify(answer.body)).toContain('Your company can change password_changed and complaint_answered.');
  });

  test('a product with an occasion of the system does not start', () => {
    const product = { ...started.program.product, mailOccasions: { forgot_password: { path: '/' } } };
    expect(() => createMailComposer({ ...started.program, product })).toThrow(
      'The system already has a mail occasion forgot_password. Rename that of the product.',
    );
  });

  test("mails outside the company use the installation's templates, without copies", async () => {
    const { kysely } = started.program.database;
    await kysely.updateTable('email_templates').set({ identifier: 'forgot_password' }).where('id', '=', id).execute();
    await kysely.updateTable('email_templates').set({ cc: 'qa@demo.test' }).where('id', '=', 1).execute();
    const mail = await forgot('developer@demo.test');
    expect([mail.to, mail.headers.subject]).toEqual([['developer@demo.test'], 'Reset your Assay password']);
  });

  test.each([
    ['subject', '{{#name}}'],
    ['content', '<p>{{name</p>'],
    ['header', '<p>{{/name}}</p>'],
  ])('one that cannot be read is refused on its %s', async (field, text) => {
    const { status, body } = await call('PUT', `/email-templates/${id}`, 'owner', { [field]: text });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test('the preview shows subject, HTML and text, with sample values and links of this installation', async () => {
    const { status, body } = await call('POST', `/email-templates/${id}/preview`, 'owner');
    expect(status).toBe(200);
    expect(Object.keys(body.data).sort()).toEqual(['html', 'subject', 'text']);
    expect(body.data.subject).toBe('Changed for Olivia Berg');
    expect(body.data.text).toContain('https://assay.example.com/auth/reset-password?verification_code=');
  });

  test('a test mail is sent only to the caller', async () => {
    const { status, body } = await call('POST', `/email-templates/${id}/test`, 'owner');
    expect([status, body.status, body.message]).toEqual([200, true, 'Sent to owner@demo.test.']);
    const mail = await started.office.next();
    expect([mail.to, mail.headers.subject]).toEqual([['owner@demo.test'], 'Changed for Olivia Berg']);
  });

  test.each([
    ['qa', 'preview', 403],
    ['qa', 'test', 403],
    ['owner@harbour.test', 'preview', 404],
    ['owner@harbour.test', 'test', 404],
  ])('%s gets no %s: %i', async (as, what, status) => {
    expect((await call('POST', `/email-templates/${id}/${what}`, as)).status).toBe(status);
  });

  test('a user without a confirmed address cannot send test mails', async () => {
    const founder = { first_name: 'A', last_name: 'B', site_name: 'C', email: 'a@b.test', password: 'Quiet#Harbour7' };
    const { body } = await started.call('POST', '/register', { body: founder });
    await started.office.next();
    const answer = await started.call('POST', '/email-templates/1/test', { token: body.token });
    expect(answer.status).toBe(409);
  });
});
