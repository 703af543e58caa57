import { Type } from 'typebox';
import type { Product } from '../server/program';
import { registerCoverage } from './coverage/routes';
import { registerAutomatedTests } from './automated-tests/routes';
import { demoData } from './demo/load';
import { notifyAnswered } from './notices/ticket-answer';
import { notifyAssigned } from './notices/assignment';
import { notifyCommented } from './notices/commented';
import { noticeKinds } from './notices/kinds';
import { notifyRetest } from './notices/retest';
import { isMemberOrInternal } from './notices/project-members';
import { testCaseFormats } from './exports/test-case-formats';
import { sendDeadlineReminders } from './notices/deadlines';
import { addOverlapWarnings } from './overlaps';
import { registerOverview } from './overview/routes';
import { registerRunOverview } from './run-overview/routes';
import { requiredFields } from './required-fields';
import { countSetupTotals } from './setup-totals';
import { registerSharedTestCase } from './shared-test-case';
import { registerTestCaseHistory } from './test-case-history';
import { pinTestCase, stampClosing } from './test-runs/hooks';
import { registerTestResults } from './test-results/routes';
import { registerTestRuns } from './test-runs/routes';
import start from './start.json' with { type: 'json' };
import { fillSender } from './tickets';

/** Test cases, tasks and time of QA teams: what their definitions in `resources/` cannot say. */
export const product: Product = {
  name: 'qa',
  title: 'Assay',
  folder: 'resources',
  hooks: {
    pointOutOverlaps: addOverlapWarnings,
    fillSender,
    tellAssigned: notifyAssigned,
    tellCommented: notifyCommented,
    tellAnswered: notifyAnswered,
    tellRetest: notifyRetest,
    stampClosing,
    pinTestCase,
  },
  start,
  requiredFields,
  authorCopies: { 'support-tickets': { name: 'name', email: 'email' } },
  registerRoutes(api, program) {
    registerSharedTestCase(api, program);
    registerTestCaseHistory(api, program);
    registerOverview(api, program);
    registerTestRuns(api, program);
    registerRunOverview(api, program);
    registerCoverage(api, program);
    registerTestResults(api, program);
    registerAutomatedTests(api, program);
  },
  signInFacts: {
    schema: { totalClients: Type.Integer(), totalProjects: Type.Integer() },
    load: async (program, actor) => ({ ...(await countSetupTotals(program, actor)) }),
  },
  paths: [
    'ci-results',
    'dashboard',
    'flow-setup-steps',
    'coverage',
    'requirement-coverage',
    'run-report',
    'renamed-tests',
    'sharable-test-case',
    'shared-run-report',
    'shared-run-state',
    'task-analytics',
    'test-case-analytics',
    'test-case-history',
    'testcase',
    'timesheet',
  ],
  mailOccasions: { ticket_answered: { path: '/', own: true, hourly: 20 } },
  noticeKinds,
  exportFormats: testCaseFormats,
  importThread: { name: 'test-case-files-worker', source: new URL('./imports/worker.ts', import.meta.url) },
  periodicWork: (program) => [
    {
      name: 'deadline-reminders',
      // A day begins in some time zone every quarter of an hour.
      every: 15 * 60,
      failure: 'Sending deadline reminders failed',
      run: () => sendDeadlineReminders(program),
    },
  ],
  canBeNotified: isMemberOrInternal,
  demoData,
};
