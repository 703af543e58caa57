interface CellLinkProps {
  href: string;
  /** As the cell has it. */
  focused: boolean | undefined;
  children: string;
}

/** A link inside a row that does something by itself when clicked: the click is the link's alone. */
export function CellLink({ href, focused, children }: CellLinkProps) {
  return (
    <a
      className="cell-text cell-link"
      href={href}
      tabIndex={focused === false ? -1 : 0}
      {...(/^https?:/.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </a>
  );
}
