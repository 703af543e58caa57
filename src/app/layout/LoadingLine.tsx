/** The line below the bar while requests are on their way. */
export function LoadingLine() {
  return <div className="shell-loading" role="progressbar" aria-label="Loading" />;
}
