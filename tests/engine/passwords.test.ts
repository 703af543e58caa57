import { expect, test } from 'vitest';
import { passwordMessage } from '../../src/engine/passwords/rule';
import { measurePassword } from '../../src/engine/passwords/strength';

const personal = ['Olivia', 'Berg', 'olivia@demo.test', 'Demo Testing Ltd'];
const common = 'This is one of the most common passwords. Choose another one.';
const easy = 'This password is easy to guess. Use 12 or more characters, or less predictable ones.';

test.each<[string, string | undefined]>([
  ['Ab1!', passwordMessage],
  ['novak2026', passwordMessage],
  ['Password1!', easy],
  ['Demo@1234', easy],
  ['password1', common],
  ['123456789012', common],
  ['aaaaaaaaaaaa', easy],
  ['olivia@demo.test', easy],
  ['Quiet#Harbour7', undefined],
  ['correct horse battery', undefined],
  ['длинныйпароль', undefined],
  ['黄色猫咪是我的朋友呀啊啊', undefined],
  ['x'.repeat(257), 'A password must have at most 256 characters.'],
])('%s: %s', (password, fault) => expect(measurePassword(password, personal).problem).toBe(fault));
