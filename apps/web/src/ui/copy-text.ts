/**
 * Puts text on the clipboard. Browsers give the clipboard API to secure origins only, so a console reached by plain
 * http on a local network goes the older way.
 *
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, focus may not leave it.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
