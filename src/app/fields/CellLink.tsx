/** A link inside a row that does something by itself when clicked: the click is the link's alone. */
export function CellLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      className="cell-text cell-link"
      href={href}
      {...(/^https?:/.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </a>
  );
}
