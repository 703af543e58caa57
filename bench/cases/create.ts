import { againstFloor } from '../against-floor';
import type { Case } from '../case';
import type { Logged } from '../statement-log';

/** A create with its line of history. The floor runs the same inserts in one transaction, and checks nothing. */
export const create: Case = async ({ site, logFile }) => {
  const place = await site('large');
  const { statusId, clientId, typeId } = place.rows;
  const name = 'Project made under load';
  const outcome = await againstFloor({
    place,
    logFile,
    what: 'create',
    target: 0.6,
    paths: ['/api/projects'],
    body: {
      name,
      code: 'LOAD',
      client_id: clientId,
      type_id: typeId,
      project_status_id: statusId,
      technologies_used: 'TypeScript',
      start_date: '2026-01-01',
      end_date: '2026-06-30',
    },
    floorPaths: ['/'],
    marker: name,
    keep: 'one',
    floorOf: (statements) => [
      plain('begin'),
      ...statements.filter(({ text }) => /\binsert into\b/i.test(text)),
      plain('commit'),
    ],
  });
  return [outcome];
};

const plain = (text: string): Logged => ({ text, values: [] });
