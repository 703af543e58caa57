/** By resource, the fields that the product's code uses, which definitions must keep. */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  clients: ['name'],
  projects: ['name', 'client_id', 'project_status_id', 'end_date', 'user_ids', 'tasks', 'testcases'],
  'project-status': ['option_name'],
  priorities: ['option_name'],
  results: ['option_name'],
  status: ['option_name'],
  tasks: ['name', 'project_id', 'status_id', 'priority_id', 'assigned_to', 'end_date', 'estimated_hours', 'testcases'],
  'test-cases': [
    'name',
    'project_id',
    'task_id',
    'status_id',
    'priority_id',
    'result_id',
    'assigned_to',
    'sharable_link',
  ],
  'task-comments': ['comments', 'task_id'],
  'test-case-comments': ['comments', 'test_case_id'],
  'time-logs': ['task_id', 'user_id', 'date', 'start', 'end', 'total_duration', 'comments', 'warning'],
  'support-tickets': ['email', 'status', 'answer', 'priority_id'],
};
