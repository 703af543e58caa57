import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let program: DemoProgram;
let owner: Client;
beforeAll(async () => {
  program = await startFixtureProgram();
  owner = await program.signIn(accounts.owner);
});
afterAll(() => program.close());

/** Nearly as long as a body can be. */
const length = 4_500_000;
const texts: Readonly<Record<string, string>> = {
  letters: 'x'.repeat(length),
  'letters to compose': 'e\u0301'.repeat(length / 3),
  'blanks that do not break': 'a\u00a0'.repeat(length / 3),
  'joiners behind a letter': `a${'\u200d'.repeat(length / 3 - 2)}`,
  'open tags': '<b>'.repeat(length / 3),
};

/** The shortest of some times. */
const repetitions = 4;

test.each(
  Object.keys(texts).flatMap((kind) => ['description', 'projection_notes', 'name'].map((field) => [field, kind])),
)('%s of 4.5 MB of %s is refused in about the time that reading the body takes', async (field, kind) => {
  const text = texts[kind!]!;
  const send = async (body: object) => {
    const begin = performance.now();
    const { status } = await owner('PUT', '/screenings/1', body);
    return { status, time: performance.now() - begin };
  };
  let [floor, least] = [Infinity, Infinity];
  for (let time = 0; time < repetitions; time++) {
    // An ignored property: the same body without a text that is looked at.
    floor = Math.min(floor, (await send({ authenticateUrl: text })).time);
    const refused = await send({ [field!]: text });
    least = Math.min(least, refused.time);
    expect(refused.status).toBe(422);
  }
  expect(least / floor).toBeLessThan(3);
});
