import type { NoticeKind } from '../../server/program';

/** The product's kinds of notifications, beside those of the system. */
export const noticeKinds: Readonly<Record<string, NoticeKind>> = {
  assignment: {
    label: 'Something is assigned to you',
    description: 'A task or a test case.',
    occasions: ['task_assigned', 'test_case_assigned'],
  },
  comment: {
    label: 'Somebody comments',
    description: 'On a record that you watch, created or are assigned to.',
    occasions: ['comment_added'],
  },
  deadline: {
    label: 'A deadline is near',
    description: 'The day before one of your tasks is due.',
    occasions: ['task_deadline'],
  },
  retest: {
    label: 'A test can be run again',
    description: 'The defect is completed that was found by a test of yours.',
    occasions: ['retest_due'],
  },
  answer: {
    label: 'A support ticket is answered',
    description: 'One that you raised.',
    occasions: ['ticket_answered'],
    defaultChannel: 'mail',
  },
};
