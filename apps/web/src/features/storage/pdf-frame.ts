import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import * as worker from 'pdfjs-dist/build/pdf.worker.mjs';
import type { PdfMessage, PdfReport } from './pdf-messages.ts';

/**
 * Runs in a sandboxed frame of `pdf-preview.tsx`, whose origin is nobody's: what reads a stranger's bytes has no session and
 * reaches nothing of the console.
 */

/** Pixels: the widest that a page is shown. */
const MOST_WIDE = 1000;
/** Pixels of a canvas at most, beyond which browsers draw none. */
const MOST_PIXELS = 16_000_000;

// No browser starts a worker for an origin that is nobody's, so the library is to use this in the frame itself.
Object.assign(globalThis, { pdfjsWorker: worker });

function report(said: PdfReport): void {
  window.parent.postMessage(said, '*');
}

async function show({ bytes }: PdfMessage): Promise<void> {
  const reading = getDocument({
    ...{ data: bytes, isEvalSupported: false, enableXfa: false },
    // Drawn as outlines: no font of a stranger's is handed to the browser.
    disableFontFace: true,
  });
  const pdf = await reading.promise;
  const first = sizeOf(await pdf.getPage(1));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const page = pages.get(target);
        if (isIntersecting) void page?.draw();
        else page?.clear();
      }
    },
    { rootMargin: '100% 0px' },
  );
  const pages = new Map<Element, ShownPage>();
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = createPage(pdf, number, first);
    pages.set(page.element, page);
    document.body.append(page.element);
    observer.observe(page.element);
  }
  report({ pages: pdf.numPages });
}

function sizeOf(page: PDFPageProxy): { width: number; height: number } {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

interface ShownPage {
  element: HTMLElement;
  draw: () => Promise<void>;
  /** Gives the memory of a page back that is far out of sight. */
  clear: () => void;
}

/** A page's place, with the size of the first one until it is drawn. */
function createPage(
  pdf: PDFDocumentProxy,
  number: number,
  { width, height }: { width: number; height: number },
): ShownPage {
  const element = document.createElement('section');
  element.setAttribute('aria-label', `Page ${number} of ${pdf.numPages}`);
  element.style.aspectRatio = `${width} / ${height}`;
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  const text = document.createElement('p');
  element.append(canvas, text);
  let isDrawn = false;
  return {
    element,
    async draw() {
      if (isDrawn) return;
      isDrawn = true;
      const page = await pdf.getPage(number);
      const size = sizeOf(page);
      element.style.aspectRatio = `${size.width} / ${size.height}`;
      const wanted = (element.clientWidth / size.width) * window.devicePixelRatio;
      const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (size.width * size.height)));
      await page.render({ canvas, viewport: fit(page, scale, canvas) }).promise;
      const { items } = await page.getTextContent();
      text.textContent = items.map((item) => ('str' in item ? item.str : '')).join(' ');
    },
    clear() {
      if (!isDrawn) return;
      isDrawn = false;
      canvas.width = 0;
      canvas.height = 0;
    },
  };
}

function fit(page: PDFPageProxy, scale: number, canvas: HTMLCanvasElement) {
  const viewport = page.getViewport({ scale });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  return viewport;
}

const STYLE = `
  body { margin: 0; padding: 16px; background: #52525b; display: grid; gap: 16px; justify-items: center; }
  section { width: 100%; max-width: ${MOST_WIDE}px; background: #fff; position: relative; overflow: hidden; }
  canvas { width: 100%; height: 100%; display: block; }
  p { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }`;

const style = document.createElement('style');
style.textContent = STYLE;
document.head.append(style);

window.addEventListener('message', ({ data, source }: MessageEvent<PdfMessage>) => {
  if (source !== window.parent) return;
  show(data).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    report({ failure: isLocked ? 'locked' : 'broken' });
  });
});
report({ isReady: true });
