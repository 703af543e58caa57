/** The beginning of what a spreadsheet takes for a formula, with the apostrophes that prevent it: full-width signs count too. */
export const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A cell of comma-separated values without the apostrophe that keeps a spreadsheet from taking it for a formula.
 *
 * @example unquoteFormula("'=1+1"); // '=1+1'
 */
export function unquoteFormula(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
