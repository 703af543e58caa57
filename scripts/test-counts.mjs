// Reads the reports of the two test runners. What did not pass has failed, and a run that went wrong in a way the report
// does not show has one failure at least.

/** Counts a Vitest JSON report; `ok` says whether the run ended well. */
export function countVitest(report, ok) {
  if (!report) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
  });
  const failed = report.numFailedTests + report.numPendingTests + report.numTodoTests + broken.length;
  return settle(report.numPassedTests, failed, ok);
}

/** Counts a Playwright JSON report; `ok` says whether the run ended well. */
export function countPlaywright(report, ok) {
  if (!report) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return settle(expected, unexpected + flaky + skipped + report.errors.length, ok);
}

function settle(passed, failed, ok) {
  return { passed, failed: Math.max(failed, ok && passed > 0 ? 0 : 1) };
}
