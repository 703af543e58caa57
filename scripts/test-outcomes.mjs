// Reads the reports of the two test runners. A test that did not pass has failed, and a run that went wrong in a way the report
// does not show has one failure at least.
import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Maximum lines of a listed message: its start says what was expected. */
const longest = 40;

/**
 * Counts a Vitest JSON report and names its failures; `errors` were thrown outside of tests, and `ok` says whether the
 * run ended well.
 */
export function vitestOutcome(report, errors = [], ok, root) {
  const outsideFailures = errors.map((message) => failure('thrown outside of a test', message));
  if (!report) return { passed: 0, failed: 1 + outsideFailures.length, failures: outsideFailures };
  const files = report.testResults.map((file) => ({ ...file, name: relative(root, file.name) }));
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, status, failureMessages }) =>
        failure(`${name} > ${fullName}`, failureMessages?.join('\n') || `It is ${status}.`),
      ),
  );
  const fileFailures = files
    .filter(({ status, assertionResults }) => {
      return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
    })
    .map(({ name, message }) => failure(name, message));
  return settle(report.numPassedTests, [...tests, ...fileFailures, ...outsideFailures], ok);
}

/** Counts a Playwright JSON report and names its failures; `ok` says whether the run ended well. */
export function playwrightOutcome(report, ok) {
  if (!report) return { passed: 0, failed: 1, failures: [] };
  const tests = report.suites
    .flatMap(specsOf)
    .flatMap(({ name, tests }) => tests.map((test) => ({ name, ...test })))
    .filter(({ status }) => status !== 'expected')
    .map(({ name, status, results }) => {
      const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
      return failure(name, messages.join('\n') || `It is ${status}.`);
    });
  const outsideFailures = report.errors.map(({ message }) => failure('thrown outside of a test', message));
  return settle(report.stats.expected, [...tests, ...outsideFailures], ok);
}

/** The files of a Playwright JSON report with the milliseconds of their tests. */
export function playwrightFiles(report) {
  return (report?.suites ?? []).map((suite) => ({
    name: `tests/e2e/${suite.file}`,
    milliseconds: specsOf(suite)
      .flatMap(({ tests }) => tests)
      .flatMap(({ results }) => results)
      .reduce((sum, { duration = 0 }) => sum + duration, 0),
  }));
}

/** The ten files that took longest, the longest first; names are relative to `root`. */
export function slowest(files, root) {
  return [...files]
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, 10)
    .map(({ name, milliseconds }) => ({ name: isAbsolute(name) ? relative(root, name) : name, milliseconds }));
}

function specsOf({ file, specs, suites = [] }) {
  const ownSpecs = specs.map(({ title, line, tests }) => ({ name: `${file}:${line} > ${title}`, tests }));
  return [...ownSpecs, ...suites.flatMap(specsOf)];
}

function failure(name, message = '') {
  const lines = stripVTControlCharacters(message).trim().split('\n');
  // The location in the test matters, not in the runner.
  const ownLines = lines.filter((line) => !/^\s+at .*node_modules|^\s+at new Promise|\(node:/.test(line));
  return { name, message: ownLines.slice(0, longest).join('\n') };
}

function settle(passedCount, failures, ok) {
  return { passed: passedCount, failed: Math.max(failures.length, ok && passedCount > 0 ? 0 : 1), failures };
}
