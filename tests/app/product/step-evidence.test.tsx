import { createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { CoreAdminContext, testDataProvider } from 'react-admin';
import { beforeEach, expect, it, vi } from 'vitest';
import { copyFiles } from '../../../custom-screens/evidence/copyFiles';
import { filesOfAttempt } from '../../../custom-screens/evidence/storedFiles';
import {
  defectText,
  draftOfAttempt,
  emptyDraft,
  foundResult,
  type Draft,
} from '../../../custom-screens/test-runner/draft';
import { EvidenceOfDraft } from '../../../custom-screens/test-runner/EvidenceOfDraft';
import { resultForm } from '../../../custom-screens/test-runner/runnerApi';
import { Steps } from '../../../custom-screens/test-runner/Steps';
import { useEvidence } from '../../../custom-screens/test-runner/useEvidence';
import { DefinitionsContext, type Definitions } from '../../../src/app/data/DefinitionsContext';
import { Toasts } from '../../../src/app/layout/Toasts';
import { normalise } from '../../../src/engine/normalise/normalise';

let draft: Draft;
beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined }));
});

const attempts = normalise({
  name: 'attempts',
  labels: { one: 'Attempt', many: 'Attempts' },
  fields: { name: {}, evidence: { type: 'files', maxSize: '1 kB', maxItems: 4, accept: ['image/*', 'text/plain'] } },
});
const definitions = {
  actor: { id: 7 },
  registry: { get: (name: string) => (name === 'attempts' ? attempts : undefined) },
} as unknown as Definitions;

/** The parts of the runner that take files; the step is chosen that the test says. */
function Runner({ chosen }: { chosen: number }) {
  const [kept, setKept] = useState<Draft>(emptyDraft);
  draft = kept;
  const evidence = useEvidence(kept, setKept, true, chosen);
  const picker = useRef<HTMLInputElement>(null);
  const nothing = () => undefined;
  return (
    <>
      <Steps
        steps={[{ action: 'Open **it**', data: 'See ![the sheet](sheet.png)' }, { action: 'Pay' }]}
        pictures={[{ name: 'sheet.png', size: 1, type: 'image/png', url: '/api/files/1.png?expires=1' }]}
        draft={kept}
        selected={chosen}
        commenting={new Set([2])}
        disabled={false}
        evidence={evidence}
        onSelect={nothing}
        onResult={nothing}
        onComment={nothing}
        onCommentText={nothing}
        onPassRest={nothing}
      />
      <section data-whole-test>
        <textarea aria-label="Comment" />
        <EvidenceOfDraft files={kept.files} disabled={false} {...{ evidence, picker }} />
      </section>
    </>
  );
}

const open = (chosen = 0) => {
  render(
    <CoreAdminContext dataProvider={testDataProvider()}>
      <DefinitionsContext value={definitions}>
        <Runner chosen={chosen} />
        <Toasts />
      </DefinitionsContext>
    </CoreAdminContext>,
  );
};
const picture = (name = 'image.png') => new File(['x'], name, { type: 'image/png' });
function paste(target: Element, ...files: File[]) {
  fireEvent.paste(target, { clipboardData: { files, getData: () => '' } });
}
function drop(target: Element, ...files: File[]) {
  const event = createEvent.drop(target);
  Object.assign(event, { dataTransfer: { files, types: ['Files'], dropEffect: 'none' } });
  fireEvent(target, event);
}
const kept = () => (draft.files ?? []).map(({ name, step }) => [name, step]);
const ofStep = (step: number) => within(screen.getByRole('group', { name: `Evidence of step ${step}` }));

it('a pasted or dropped file belongs to the step around it, else to the chosen one, in the panel to the whole test', () => {
  open(1);
  paste(screen.getByRole('textbox', { name: 'Comment on step 2' }), picture());
  paste(document.body, picture());
  drop(screen.getByText('Pay'), picture('dropped.png'));
  paste(screen.getByRole('textbox', { name: 'Comment' }), picture('whole.png'));
  expect(kept()).toEqual([
    ['image.png', 2],
    ['image-2.png', 1],
    ['dropped.png', 2],
    ['whole.png', undefined],
  ]);
  expect(ofStep(2).getAllByRole('button', { name: /^Remove/ })).toHaveLength(2);
  expect(ofStep(1).getByRole('button', { name: 'Remove image-2.png' })).toBeTruthy();
  // The result that is sent says which file of its form belongs where.
  const found = foundResult(draft, 'failed', null);
  expect(found.steps).toEqual([
    { index: 1, result: 'failed', comment: null, evidence: [2] },
    { index: 2, result: 'failed', comment: null, evidence: [1, 3] },
  ]);
  const form = resultForm(found, [picture()]);
  expect(JSON.parse(String(form.get('steps')))).toEqual(found.steps);
});

it('files are chosen for a step by its button, and removed again; the focus stays there', async () => {
  open();
  const user = userEvent.setup();
  const clicked = vi.spyOn(HTMLInputElement.prototype, 'click');
  const button = screen.getByRole('button', { name: 'Add files to step 2' });
  button.focus();
  await user.keyboard('{Enter}');
  expect(clicked.mock.instances).toEqual([screen.getByLabelText('Files of step 2')]);
  await user.upload(screen.getByLabelText('Files of step 2'), [picture('a.png'), picture('b.png')]);
  ofStep(2).getByRole('button', { name: 'Remove a.png' }).focus();
  await user.keyboard('{Enter}');
  expect(kept()).toEqual([['b.png', 2]]);
  expect(document.activeElement).toBe(button);
  await user.click(ofStep(2).getByRole('button', { name: 'Remove b.png' }));
  expect(screen.queryByRole('group', { name: 'Evidence of step 2' })).toBeNull();
  clicked.mockRestore();
});

it.each([
  ['too large', new File(['x'.repeat(1025)], 'big.png', { type: 'image/png' }), 'It is larger than 1 kB.'],
  ['of another kind', new File(['x'], 'run.exe', { type: 'application/x-msdownload' }), 'can be added.'],
  ['empty', new File([], 'empty.png', { type: 'image/png' }), 'It is empty.'],
])('a file that is %s is not added, with the reason', async (_, file, words) => {
  open(2);
  drop(screen.getByText('Pay'), file, picture());
  expect(kept()).toEqual([['image.png', 2]]);
  await waitFor(() => expect(document.body.textContent).toContain(`“${file.name}” was not added.`));
  expect(document.body.textContent).toContain(words);
});

it('the limit of files counts those of all steps and of the whole test', async () => {
  open(1);
  paste(document.body, picture(), picture(), picture(), picture());
  drop(screen.getByText('Pay'), picture('more.png'));
  expect(kept().map(([, step]) => step)).toEqual([1, 1, 1, 1]);
  await waitFor(() => expect(document.body.textContent).toContain('There can be at most 4 files.'));
  expect(screen.getByText('4 of 4, 4 at steps')).toBeTruthy();
});

const stored = (name: string) => ({ name, size: 1, type: 'image/png', url: `/api/files/${name}` });

it('stored files are those of the whole test first, then of each step', () => {
  const evidence = ['b.png', 'whole.png', 'a.png', 'c.png'].map(stored);
  const steps = [
    { index: 3, evidence: 'c.png' },
    { index: 1, evidence: 'a.png\nb.png' },
  ];
  expect(filesOfAttempt({ evidence, steps }).map(({ name, step }) => [name, step])).toEqual([
    ['whole.png', undefined],
    ['b.png', 1],
    ['a.png', 1],
    ['c.png', 3],
  ]);
  expect(filesOfAttempt({ evidence: null, steps })).toEqual([]);
  expect(filesOfAttempt({})).toEqual([]);
});

it('a defect of a stored failure gets copies of its files; missing and refused ones are named', async () => {
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(url.endsWith('gone.png') ? new Response('', { status: 404 }) : new Response('x')),
  );
  const names = ['a.png', 'gone.png', 'b.png'];
  const { files, omissions } = await copyFiles(names.map(stored), attempts.fields.evidence);
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['a.png', 'image/png'],
    ['b.png', 'image/png'],
  ]);
  expect(omissions).toEqual(['“gone.png” was not added. It could not be loaded.']);
  const five = await copyFiles(['1', '2', '3', '4', '5'].map(stored), attempts.fields.evidence);
  expect(five.omissions).toEqual(['“5” was not added. There can be at most 4 files.']);
  // A field that has no files takes none.
  expect(await copyFiles([stored('a.png')], attempts.fields.name)).toEqual({ files: [], omissions: [] });
});

it('a defect of a stored failure describes the findings, as if they were not saved yet', () => {
  const steps = [{ action: 'Open' }, { action: 'Pay', expected: 'Paid' }, { action: 'Close' }];
  const attempt = {
    comment: 'On Safari',
    message: null,
    details: null,
    steps: [
      { index: 1, result: 'passed' as const, comment: null },
      { index: 2, result: 'failed' as const, comment: 'Paid twice' },
    ],
  };
  expect(defectText({ steps }, draftOfAttempt(attempt))).toEqual({
    heading: 'Steps, failed at 2 of 3',
    steps: ['Open', 'Pay **· failed here**'],
    reproduction: '',
    expectedResult: 'Paid',
    actual: 'Paid twice\nOn Safari',
    failedStep: 2,
  });
  const machine = { comment: null, message: 'wrong', details: 'wrong\nat pay.ts:3', steps: null };
  expect(draftOfAttempt(machine)).toEqual({ steps: {}, comment: 'wrong\nat pay.ts:3' });
  expect(draftOfAttempt({ ...machine, details: 'at pay.ts:3' }).comment).toBe('wrong\nat pay.ts:3');
});

it('testers see the marks and pictures of steps', () => {
  open();
  expect(screen.getByText('it').tagName).toBe('STRONG');
  expect(screen.getByRole('img', { name: 'the sheet' }).getAttribute('src')).toBe('/api/files/1.png?expires=1');
});
