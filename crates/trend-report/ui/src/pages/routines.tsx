export function Routines({ id }: { id: string }) {
  return <h1>Routines {id}</h1>;
}
