import type { ResourceRecord } from '../../../src/engine/definitions/definition';

const film = { id: 1, name: 'Harbour Checkout' };
const ada = { id: 7, name: 'Ada King' };
const at = '2026-11-20T10:00:00.000Z';

export const shot = (change: ResourceRecord = {}): ResourceRecord => ({
  id: 4,
  name: 'Make payment idempotent',
  film_id: 1,
  film,
  scene_id: 2,
  scene: { id: 2, name: 'Payments' },
  description: '<p>Twice</p>',
  operator_id: 7,
  operator: ada,
  status_id: 2,
  shotstatus: { id: 2, option_name: 'In Progress' },
  urgency_id: 1,
  urgency: { id: 1, option_name: 'Urgent' },
  created_by: 7,
  created_by_user: ada,
  site_id: 1,
  updated_at: at,
  ...change,
});

export const screenings = (): ResourceRecord[] =>
  [1, 2, 3, 4, 5].map((id) => ({
    id,
    name: `Case ${id}`,
    film_id: 1,
    film,
    shot_id: id < 3 ? 4 : null,
    status: id === 5 ? 'close' : 'open',
    status_id: 2,
    operator_id: 7,
    operator: ada,
    created_by: ada,
    site_id: 1,
    updated_at: at,
  }));

export const timeLog = (id: number, user: number): ResourceRecord => ({
  id,
  shot_id: 4,
  shot: { id: 4, name: 'Make payment idempotent' },
  user_id: user,
  user: { id: user, name: `Person ${user}` },
  date: '2026-11-20',
  start: '2026-11-20 09:00',
  end: '2026-11-20 10:30',
  worked: '1.30',
  comments: `Log ${id}`,
  site_id: 1,
  updated_at: at,
});

export const comment = (id: number, text: string): ResourceRecord => ({
  id,
  shot_id: 4,
  comments: text,
  created_by: 7,
  user: ada,
  created_at: at,
  site_id: 1,
});
