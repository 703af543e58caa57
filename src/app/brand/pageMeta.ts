/** The content of a `<meta>` of the page, which the server fills in; undefined without one. */
export function pageMeta(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined;
}
