import { maxId } from '../../engine/field-types/relation';
import { Type, type Static } from 'typebox';
import {
  closedObject,
  dataOf,
  defineCall,
  id,
  idParameter,
  idParams,
  nullable,
} from '../../server/routing/define-call';
import { dayMessage } from '../overview/days';

const tag = 'Test runs';
const count = Type.Integer();
const text = nullable(Type.String());
const counts = Type.Object({
  passed: count,
  failed: count,
  blocked: count,
  skipped: count,
  flaky: count,
  not_run: count,
});
const day = Type.Optional(
  Type.String({
    format: 'date',
    description: 'Results until the end of this day (YYYY-MM-DD). Default: today.',
    errorMessage: dayMessage('day'),
  }),
);

/** The calls of the coverage of requirements. */
export const coverageCalls = {
  coverage: defineCall({
    id: 'requirement-coverage',
    tag,
    summary: 'What the test cases of requirements showed until a day, gaps first',
    grant: { resource: 'requirements', action: 'list' },
    querystring: Type.Object(
      {
        project_id: Type.Integer({ ...id, description: 'Of this project.', errorMessage: 'project_id must be an id.' }),
        day,
        by: Type.Optional(
          Type.Enum(['run', 'configuration', 'state'], {
            description: 'Columns: the latest five runs, the configurations, or none, as counts are by result.',
            errorMessage: 'by must be run, configuration or state.',
          }),
        ),
        priority_id: idParameter('priority_id', 'Only requirements with this priority.'),
        milestone_id: idParameter('milestone_id', 'Only requirements whose test cases are in runs of this milestone.'),
        q: Type.Optional(Type.String({ maxLength: 200, description: 'A part of their key or title.' })),
      },
      closedObject,
    ),
    answer: dataOf(
      Type.Object({
        day: Type.String(),
        columns: Type.Array(Type.Object({ id: Type.Integer(), label: Type.String(), note: text, at: text })),
        requirements: Type.Array(
          Type.Object({
            id,
            key: text,
            name: Type.String(),
            priority: nullable(Type.Object({ id, title: Type.String() })),
            cases: count,
            counts,
            is_gap: Type.Boolean(),
            cells: Type.Object({}),
          }),
        ),
      }),
    ),
  }),
  cell: defineCall({
    id: 'requirement-coverage-tests',
    tag,
    summary: 'The test cases of a requirement with their latest results until a day, in a run or on a configuration',
    grant: { resource: 'requirements', action: 'view' },
    params: idParams,
    querystring: Type.Object(
      {
        day,
        run_id: idParameter('run_id', 'Only in this run.'),
        configuration_id: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: maxId,
            description: 'Only on this configuration; 0: without one.',
            errorMessage: 'configuration_id must be an id.',
          }),
        ),
      },
      closedObject,
    ),
    answer: dataOf(
      Type.Array(
        Type.Object({
          test_case_id: id,
          key: text,
          name: Type.String(),
          result: Type.String(),
          run_id: nullable(id),
          run_key: text,
          entry_id: nullable(id),
          at: text,
          defect: text,
        }),
      ),
    ),
  }),
};

export type CoverageQuery = Static<typeof coverageCalls.coverage.schema.querystring>;
export type CellQuery = Static<typeof coverageCalls.cell.schema.querystring>;
