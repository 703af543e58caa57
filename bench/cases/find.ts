import type { BenchmarkCase } from '../case';
import { oneAtATime } from '../one-at-a-time';

/** The allowed milliseconds of a search in all modules without other load. */
const PATIENCE = 50;
const searchTexts = ['login', 'test', 'the', 'a', 'password reset', 'no such word', '#142', 'verify', 'Anna'];

/** Searches in all modules at once, among 100,000 test cases. */
export const find: BenchmarkCase = async ({ demo }) => {
  const { program } = await demo();
  const kinds = searchTexts.map((q) => ({ ...program, paths: [`/api/search?q=${encodeURIComponent(q)}`] }));
  const took = await oneAtATime(kinds);
  const figures = searchTexts.map((q, index) => `${q} ${took[index]!.toFixed(1)}`).join(', ');
  return [
    {
      title: 'search of all modules',
      figures: `${figures} ms p50; at most ${PATIENCE}`,
      isReached: took.every((milliseconds) => milliseconds <= PATIENCE),
    },
  ];
};
