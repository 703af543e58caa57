// @module-tag slow
import { screen } from '@testing-library/react';
import { useCanAccess, useCreatePath, useResourceDefinitions, useTranslate, useTranslateLabel } from 'react-admin';
import { expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const actions = ['list', 'create', 'edit', 'show', 'delete', 'export'] as const;

/** A screen that asks react-admin what may be done with a resource. */
function Rights({ resource }: { resource: string }) {
  const list = useCanAccess({ resource, action: 'list' });
  const create = useCanAccess({ resource, action: 'create' });
  const edit = useCanAccess({ resource, action: 'edit' });
  const show = useCanAccess({ resource, action: 'show' });
  const remove = useCanAccess({ resource, action: 'delete' });
  const download = useCanAccess({ resource, action: 'export' });
  const answers = [list, create, edit, show, remove, download].map(({ canAccess }) => canAccess);
  if (answers.includes(undefined)) return null;
  return <p>{`${resource}: ${actions.filter((_action, index) => answers[index]).join()}.`}</p>;
}

function Rest() {
  const { shots, films } = useResourceDefinitions();
  const createPath = useCreatePath();
  const paths = (['list', 'create', 'edit', 'show'] as const).map((type) =>
    createPath({ resource: 'shots', type, id: 7 }),
  );
  return (
    <>
      <Rights resource="shots" />
      <Rights resource="films" />
      <Rights resource="unknown" />
      <p>{paths.join()}</p>
      <p>{`${films?.options?.label}, ${[shots?.hasList, shots?.hasCreate, shots?.hasEdit, shots?.hasShow].join()}`}</p>
    </>
  );
}

const screens = [{ path: '/rights', load: () => Promise.resolve({ default: Rest }) }];

it('react-admin knows each definition as a resource, with its addresses and what the grants allow', async () => {
  fakeServer({ level: 4, permissions: { shots: ['list', 'create', 'edit'], films: ['list'] } });
  renderApp('/rights', screens);
  await screen.findByText('shots: list,create,edit,show,export.');
  await screen.findByText('films: list,show,export.');
  await screen.findByText('unknown: .');
  await screen.findByText('/shots,/shots/create,/shots/7,/shots/7/show');
  await screen.findByText('Films, true,true,true,true');
});

/** A screen that asks react-admin about a record, and for its words. */
function RecordRights() {
  const mine = useCanAccess({ resource: 'shots', action: 'delete', record: { id: 1, created_by: 7 } });
  const foreign = useCanAccess({ resource: 'shots', action: 'delete', record: { id: 2, created_by: 8 } });
  const any = useCanAccess({ resource: 'shots', action: 'delete' });
  const label = useTranslateLabel();
  const translate = useTranslate();
  return (
    <>
      <p>{`own: ${mine.canAccess}, foreign: ${foreign.canAccess}, any: ${any.canAccess}`}</p>
      <p>{String(label({ source: 'film_id', resource: 'shots' }))}</p>
      <p>{[1, 2].map((count) => translate('resources.shots.name', { smart_count: count })).join()}</p>
      <p>{translate('ra.action.export')}</p>
    </>
  );
}

it('react-admin asks the rules about a record, and has the words of the definition beside its own', async () => {
  fakeServer({ level: 4 });
  renderApp('/record-rights', [{ path: '/record-rights', load: () => Promise.resolve({ default: RecordRights }) }]);
  await screen.findByText('own: true, foreign: false, any: true');
  await screen.findByText('Film');
  await screen.findByText('Shot,Shots');
  await screen.findByText('Export');
});

it('react-admin’s address to show a record leads to its form, only to be read', async () => {
  fakeServer({
    rows: { shots: [{ id: 7, name: 'Refund', site_id: 1, created_by: 7, updated_at: '2026-01-02T00:00:00.000Z' }] },
  });
  renderApp('/shots/7/show');
  await screen.findByText('Refund');
  expect(window.location.pathname).toBe('/shots/7/show');
});
