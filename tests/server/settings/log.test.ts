import { expect, test } from 'vitest';
import { openLog, readableStream } from '../../../src/server/settings/log';

test('a log on a terminal has one readable line per event, errors with their stack', () => {
  let text = '';
  const log = openLog('info', readableStream({ write: (more) => (text += more) }));
  log.info('Listening');
  log.warn({ free: 3 }, 'The disk is nearly full.');
  log.error({ err: new Error('No way') }, 'A request failed');
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d Listening$/);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d WARN The disk is nearly full\. \{"free":3\}$/);
  expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d ERROR A request failed$/);
  expect(lines[3]).toBe('Error: No way');
});
