import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { product } from '../../../custom-screens';
import { screens } from '../../../custom-screens/screens';
import { fakeProductServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { runProduct } from '../support/runProduct';
import '../../../custom-screens/analytics/TaskAnalytics';

beforeEach(() => runProduct(product));

const figures = { tiles: [], charts: {} };

test.each([
  [6, false],
  [3, true],
] as const)(
  'Task Analytics offers the list of time logs to level %i only if it may open that: %s',
  async (level, isOffered) => {
    fakeProductServer({
      level,
      permissions: { tasks: ['list'], 'task-analytics': ['list'], ...(isOffered && { 'time-logs': ['list'] }) },
      answers: { 'GET /task-analytics': { status: 200, body: { data: figures } } },
    });
    renderApp('/task-analytics', screens);
    await screen.findByRole('link', { name: 'Open the list of late tasks' });
    expect(screen.queryByRole('link', { name: 'Open the Time Logs list' }) !== null).toBe(isOffered);
  },
);
