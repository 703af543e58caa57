import type { ResourceRecord } from '../../../src/engine/definitions/definition';

const project = { id: 1, name: 'Harbour Checkout' };
const ada = { id: 7, name: 'Ada King' };
const at = '2026-11-20T10:00:00.000Z';

export const task = (change: ResourceRecord = {}): ResourceRecord => ({
  id: 4,
  name: 'Make payment idempotent',
  project_id: 1,
  project,
  project_module_id: 2,
  project_module: { id: 2, name: 'Payments' },
  description: '<p>Twice</p>',
  assigned_to: 7,
  assign: ada,
  status_id: 2,
  taskstatus: { id: 2, option_name: 'In Progress' },
  priority_id: 1,
  priority: { id: 1, option_name: 'Urgent' },
  created_by: 7,
  created_by_user: ada,
  site_id: 1,
  updated_at: at,
  ...change,
});

export const testCases = (): ResourceRecord[] =>
  [1, 2, 3, 4, 5].map((id) => ({
    id,
    name: `Case ${id}`,
    project_id: 1,
    project,
    task_id: id < 3 ? 4 : null,
    status: id === 5 ? 'close' : 'open',
    status_id: 2,
    assigned_to: 7,
    assign: ada,
    created_by: ada,
    site_id: 1,
    updated_at: at,
  }));

export const timeLog = (id: number, user: number): ResourceRecord => ({
  id,
  task_id: 4,
  task: { id: 4, name: 'Make payment idempotent' },
  user_id: user,
  user: { id: user, name: `Person ${user}` },
  date: '2026-11-20',
  start: '2026-11-20 09:00',
  end: '2026-11-20 10:30',
  total_duration: '1.30',
  comments: `Log ${id}`,
  site_id: 1,
  updated_at: at,
});

export const comment = (id: number, text: string): ResourceRecord => ({
  id,
  task_id: 4,
  comments: text,
  created_by: 7,
  user: ada,
  created_at: at,
  site_id: 1,
});
