/** Whether every browser shows a file of this type as a picture, and the server serves it as one. */
export function isShownPicture({ type }: { readonly type: string }): boolean {
  return type === 'image/png' || type === 'image/jpeg' || type === 'image/webp' || type === 'image/gif';
}
