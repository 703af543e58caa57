import { firstOf } from '../../../engine/values/lookups';
// The order matters: the user agents of newer browsers contain the names of older ones.
const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

/** The name of a user agent: `Chrome on Linux`. A program that is not a browser keeps its own name. */
export function agentName(agent: string | null): string {
  if (!agent) return 'Unknown program';
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? firstOf(agent.split(/[ /]/));
}

/** Whether a user agent is a phone. */
export function isPhone(agent: string | null): boolean {
  return /iPhone|Android.*Mobile/.test(agent ?? '');
}
