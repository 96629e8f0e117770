import { Component, type ReactNode } from 'react';

export interface ErrorBoundaryProps {
  /** What is shown in the place of what broke. */
  fallback: (error: unknown) => ReactNode;
  children: ReactNode;
}

/** Keeps what breaks while it is drawn from taking all around it along. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean; error?: unknown }> {
  override state: { broken: boolean; error?: unknown } = { broken: false };

  static getDerivedStateFromError(error: unknown) {
    return { broken: true, error };
  }

  override render() {
    return this.state.broken ? this.props.fallback(this.state.error) : this.props.children;
  }
}
