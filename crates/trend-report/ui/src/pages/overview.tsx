export function Overview({ id }: { id: string }) {
  return <h1>Overview {id}</h1>;
}
