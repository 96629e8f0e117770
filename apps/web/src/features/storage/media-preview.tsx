import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';

interface MediaPreviewProps {
  kind: 'audio' | 'video';
  title: string;
  /** Where the bytes are had. */
  source: string;
  onClose: () => void;
}

/**
 * Plays from wherever one seeks to: the browser asks for the parts that it needs. The frame runs no script, whatever a
 * stranger's bytes make of the browser's player; it has our origin, since the bytes are told to nobody else.
 */
export function MediaPreview({ kind, title, source, onClose }: MediaPreviewProps) {
  const [broken, setBroken] = useState(false);
  if (broken) return <Notice tone="danger" title="This browser could not play the file" />;
  return (
    <iframe
      title={title}
      sandbox="allow-same-origin"
      allow="fullscreen"
      srcDoc={playerOf(kind, source)}
      onLoad={({ currentTarget }) => {
        const { contentDocument: page } = currentTarget;
        const player = page?.querySelector<HTMLMediaElement>(kind);
        if (player?.error) setBroken(true);
        player?.addEventListener('error', () => setBroken(true));
        // Keys that are pressed in a frame are not heard around it.
        page?.addEventListener('keydown', ({ key }) => {
          if (key === 'Escape') onClose();
        });
      }}
      className={classNames('w-full rounded-lg', kind === 'video' ? 'h-[70dvh]' : 'h-16')}
    />
  );
}

function playerOf(kind: 'audio' | 'video', source: string): string {
  const style = 'display:block;width:100%;height:100%;object-fit:contain';
  const player = `<${kind} controls preload="metadata" src="${source.replaceAll('&', '&amp;')}" style="${style}"></${kind}>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${kind}</title></head><body style="margin:0;height:100vh${kind === 'video' ? ';background:#000' : ''}">${player}</body></html>`;
}
