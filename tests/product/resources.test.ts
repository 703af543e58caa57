import { describe, expect, test } from 'vitest';
import { matchesCondition } from '../../src/engine/conditions/match-condition';
import { createRegistry } from '../../src/engine/registry/registry';
import type { Source } from '../../src/engine/language/source';
import { readDefinitions } from '../../src/engine/check/read-definitions';
import { formatSource } from '../../src/engine/studio/format-source';
import { validateSource } from '../engine/support/definitions';
import { around } from '../engine/support/evaluation-context';
import { shippedFiles } from '../support/definitions';

const files = shippedFiles().definitions;
const registry = createRegistry(readDefinitions(files, validateSource).definitions);
const all = [...registry.definitions.values()];
const need = (name: string) => registry.getOrThrow(name);

describe('the shipped definitions match the specification:', () => {
  test('which responses are wrapped', () => {
    const wrapped = all.filter(({ envelope }) => envelope === 'data').map(({ name }) => name);
    expect(wrapped.sort()).toEqual([
      'actions',
      'attempts',
      'automated-tests',
      'configurations',
      'countries',
      'imports',
      'match-proposals',
      'milestones',
      'priorities',
      'project-modules',
      'project-types',
      'requirements',
      'results',
      'roles',
      'run-entries',
      'run-filters',
      'service-accounts',
      'shared-steps',
      'sites',
      'status',
      'tasks',
      'test-cases',
      'test-runs',
      'time-logs',
      'users',
    ]);
  });

  test.each([
    ['clients', 'Add New Client', 'Edit Client', 'Add Client', 'Clients | Total Records: {total}'],
    ['projects', 'Add New Projects', 'Edit Projects', 'Add Project', 'Projects | Total Records: {total}'],
    [
      'project-modules',
      'Add New Project Module',
      'Edit Project Module',
      'Add Project Module',
      'Project Modules | Total Records: {total}',
    ],
    ['states', 'Add New States', 'Edit States', 'Add State', 'States | Total Records: {total}'],
    ['results', 'Add New Results', 'Edit Results', 'Add Result', 'Results | Total Records: {total}'],
    [
      'email-templates',
      'Add New Email Template',
      'Edit Email Template',
      'Add Email Template',
      'Email Templates | Total Records: {total}',
    ],
    ['priorities', 'Add New Priority', 'Edit Priority', 'Add Priority', 'Priorities | Total Records: {total}'],
    [
      'test-cases-types',
      'Add New Test Cases Type',
      'Edit Test Cases Type',
      'Add New',
      'Test Cases Types | Total Records: {total}',
    ],
    ['test-cases', 'Add New Testcase', 'Edit Testcase', 'Add Testcase', 'Test Cases | Total Records: {total}'],
    ['tasks', 'Add New Task', 'Edit Task', 'Add Task', 'Task | Total Records: {total}'],
    ['time-logs', 'Add Timelog', 'Edit Timelog', 'Add Timelog', 'TimeLog | Total Records: {total}'],
    [
      'support-tickets',
      'Raise Query',
      'Edit Support Ticket',
      'Raise Query',
      'Support Tickets | Total Records: {total}',
    ],
    ['user-status', 'Add New User Status', 'Edit User Status', 'Add New', 'User Status | Total Records: {total}'],
  ])('the titles of %s', (name, create, edit, add, list) => {
    expect(need(name).titles).toMatchObject({ create, edit, add, list });
  });

  test.each([
    ['clients', ['name', 'code', 'country_id', 'email']],
    ['projects', ['name', 'code', 'client_id', 'project_status_id', 'type_id', 'start_date']],
    ['users', ['name', 'email', 'status_id', 'role_id', 'site_id']],
    ['countries', ['id', 'name']],
    ['project-status', ['id', 'option_name']],
    ['device-types', ['id', 'option_name', 'user.email']],
    ['sites', ['name', 'description']],
    ['test-cases', ['key', 'name', 'project_sub_module', 'priority_id', 'result_id', 'status_id', 'assigned_to']],
    ['tasks', ['name', 'start_date', 'end_date', 'assigned_to', 'status_id', 'created_by']],
    ['time-logs', ['user_id', 'start', 'end', 'total_duration']],
    ['test-case-comments', ['comments', 'created_by', 'created_at']],
  ])('the visible columns of %s', (name, expected) => {
    expect(
      need(name)
        .list.columns.filter((column) => column.visible)
        .map((column) => column.field),
    ).toEqual(expected);
  });

  test('the hours of tasks and their places on the board stand in no form, file or import', () => {
    const { form, export: file, import: fileImport, fields } = need('tasks');
    for (const name of ['spent', 'board_order']) {
      expect(form.sections.flatMap((section) => section.fields)).not.toContain(name);
      expect(file!.columns).not.toContain(name);
      expect(fileImport!.columns.map(({ field }) => field)).not.toContain(name);
    }
    expect(fields.board_order!.secret).toBe(true);
    expect(fields.spent).toMatchObject({ type: 'number', isMinutes: true, of: 'estimated_hours' });
  });

  test.each([
    ['clients', { site_id: 'site', state_id: 'state', country_id: 'country', created_by: 'user' }],
    [
      'projects',
      {
        client_id: 'client',
        project_status_id: 'project_status',
        type_id: 'type',
        created_by: 'created_by',
        user_ids: 'project_users',
      },
    ],
    ['project-modules', { project_id: 'project', parent_module: 'parent', created_by: 'created_by' }],
    ['users', { status_id: 'user_status', role_id: 'role', site_id: 'site', created_by: 'created_by' }],
    ['states', { country_id: 'country' }],
    ['email-templates', { user_id: 'user' }],
    ['priorities', { created_by: 'user' }],
    [
      'test-cases',
      {
        project_id: 'project',
        project_module: 'module',
        project_sub_module: 'sub_module',
        type_id: 'type',
        task_id: 'task',
        device_type: 'device',
        action_performed: 'action',
        result_id: 'result',
        priority_id: 'priority',
        status_id: 'status',
        assigned_to: 'assign',
        created_by: 'created_by',
      },
    ],
    [
      'tasks',
      {
        project_id: 'project',
        project_module_id: 'project_module',
        project_sub_module_id: 'project_sub_module',
        status_id: 'taskstatus',
        priority_id: 'priority',
        assigned_to: 'assign',
        created_by: 'created_by_user',
        updated_by: 'updated_by_user',
      },
    ],
    ['time-logs', { task_id: 'task', user_id: 'user', created_by: 'created_by_user', updated_by: 'updated_by_user' }],
    ['task-comments', { created_by: 'user' }],
  ])('the embeds of %s', (name, expected) => {
    const { fields } = need(name);
    expect(Object.fromEntries(Object.keys(expected).map((one) => [one, fields[one]!.embed]))).toEqual(expected);
  });

  test.each([
    [
      'clients',
      { projects: [{ id: 1 }] },
      'Projects has been added under this client, are you sure you want to delete?',
    ],
    ['clients', { projects: [] }, 'Are you sure you want to delete?'],
    [
      'projects',
      { project_modules_count: 2 },
      'This Projects has reference in other records, are you sure you want to delete?',
    ],
    [
      'projects',
      { project_modules_count: 0, tasks_count: 1 },
      'This Projects has reference in other records, are you sure you want to delete?',
    ],
    [
      'projects',
      { testcases: [{ id: 4 }] },
      'This Projects has reference in other records, are you sure you want to delete?',
    ],
    ['projects', { project_modules_count: 0, tasks_count: 0, testcases_count: 0 }, 'Are you sure you want to delete?'],
  ])('what deleting of %s asks', (name, record, question) => {
    const { delete: ask } = need(name);
    expect(ask.confirmations.find((one) => matchesCondition(one.where, record, around))?.confirm ?? ask.confirm).toBe(
      question,
    );
  });

  test.each([
    ['clients', 'Are you sure you want to Unarchive this client?', 'Client Unarchive Successfully'],
    ['projects', 'Are you sure you want to Unarchive this project?', 'Project Unarchive Successfully'],
  ])('what taking %s back asks and says', (name, question, toast) => {
    expect(need(name).archive?.confirmRestore).toBe(question);
    expect(need(name).toasts.restored).toBe(toast);
  });

  test('the first client of an owner leads back to the setup', () => {
    const { where, to } = need('clients').form.redirects[0]!;
    const actor = (level: number, totalClients: number) => ({
      ...around,
      actor: { id: 1, role_id: level, site_id: 1, level, totalClients } as never,
    });
    expect(to).toBe('/flow-setup-steps');
    expect(matchesCondition(where!, {}, actor(2, 0))).toBe(true);
    expect(matchesCondition(where!, {}, actor(2, 1))).toBe(false);
    expect(matchesCondition(where!, {}, actor(3, 0))).toBe(false);
    expect(matchesCondition(where!, {}, { ...around, actor: { id: 1, role_id: 2, site_id: 1, level: 2 } })).toBe(false);
  });

  test.each([
    ['clients', [5, 5, 2, 2, 0]],
    ['projects', [5, 5, 2, 2, 2]],
    ['project-modules', [5, 5, 2, 2, 2]],
    ['users', [5, 2, 0, 0, 0]],
    ['countries', [2, 2, 2, 2, 0]],
    ['priorities', [5, 2, 2, 2, 0]],
    ['sites', [3, 0, 0, 0, 0]],
    ['test-cases', [5, 5, 5, 5, 5]],
    ['tasks', [5, 5, 5, 5, 5]],
    ['time-logs', [5, 5, 5, 5, 0]],
    ['task-comments', [5, 2, 2, 2, 2]],
  ])('what levels 2 to 6 hold on %s', (name, expected) => {
    const { grants } = need(name);
    expect([2, 3, 4, 5, 6].map((level) => grants[level as 2].length)).toEqual(expected);
  });

  test('the definition of countries is about a dozen lines', () => {
    const { text } = files.find(({ file }) => file.endsWith('/countries.json'))!;
    expect(text.split('\n').length).toBeLessThanOrEqual(15);
  });

  test.each(files.map(({ file, text }) => [file, text]))('%s is laid out as the studio writes it', (_, text) => {
    expect(formatSource(JSON.parse(text) as Source)).toBe(text);
  });
});
